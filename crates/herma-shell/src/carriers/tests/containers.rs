use super::{silent, table};

#[test]
fn containers_run_the_words_behind_their_image() {
    table(&[
        (
            "docker exec db rm -rf /",
            &["@container[] docker exec: argv rm|-rf|/"],
        ),
        (
            "docker exec -it -u root db rm",
            &["@container[] docker exec: argv rm"],
        ),
        (
            "docker -H tcp://x run --rm img reboot",
            &["@container[] docker run: argv reboot"],
        ),
        (
            "docker container run img reboot",
            &["@container[] docker run: argv reboot"],
        ),
        (
            "docker run -v /:/h img rm -rf /h/etc",
            &["@container[/:/h] docker run: argv rm|-rf|/h/etc"],
        ),
        (
            "docker run --mount type=bind,source=/,target=/h img rm",
            &["@container[/:/h] docker run: argv rm"],
        ),
        (
            "docker run -v /:/h:ro img rm",
            &["@container[] docker run: argv rm"],
        ),
        (
            "docker run -v data:/d img rm",
            &["@container[] docker run: argv rm"],
        ),
        (
            "docker run --entrypoint sh img -c reboot",
            &["@container[] docker run: argv sh|-c|reboot"],
        ),
        (
            "docker run -h web1 alpine hostname",
            &["@container[] docker run: argv hostname"],
        ),
        (
            "podman run --rm img grep -r foo .",
            &["@container[] podman run: argv grep|-r|foo|."],
        ),
        (
            "docker compose -f x exec web rm",
            &["@container[] docker compose exec: argv rm"],
        ),
        (
            "docker-compose run --rm web rm",
            &["@container[] docker-compose run: argv rm"],
        ),
        (
            "kubectl exec -it pod -n x -- rm -rf /",
            &["@container[] kubectl exec: argv rm|-rf|/"],
        ),
        (
            "kubectl -n x exec pod rm",
            &["@container[] kubectl exec: argv rm"],
        ),
        ("lxc exec c1 -- rm", &["@container[] lxc exec: argv rm"]),
        ("docker run img", &[]),
    ]);
    silent(&[
        "docker inspect x",
        "docker ps",
        "docker build .",
        "kubectl get pods",
        "docker run --rm img",
    ]);
}
