use super::{does, does_not, of};
use crate::effect::Verb::*;
use crate::place::Place::*;

#[test]
fn raw_devices_are_formatted_and_overwritten() {
    does(
        &[
            "mkfs.ext4 /dev/sda1",
            "mkfs -t xfs /dev/sda",
            "mkfs.xfs -f /dev/sda",
            "mke2fs -q /dev/sda",
            "mkswap /dev/sda2",
            "newfs /dev/disk2",
            "wipefs -a /dev/sda",
            "wipefs --all --force /dev/sda",
            "wipefs -af /dev/sda",
            "sgdisk -Z /dev/sda",
            "sgdisk --zap-all /dev/sda",
            "sgdisk -o /dev/sda",
            "sgdisk -og /dev/sda",
            "blkdiscard /dev/nvme0n1",
            "blkdiscard -f /dev/nvme0n1",
            "parted -s /dev/sda mklabel gpt",
            "parted /dev/sda -- mktable msdos",
            "cryptsetup luksFormat /dev/sda2",
            "cryptsetup -q luksErase /dev/sda2",
            "sudo mkfs.vfat -F 32 /dev/mmcblk0p1",
            "hdparm --security-erase p /dev/sda",
            "nvme format /dev/nvme0n1",
            "badblocks -w /dev/sda",
            "mkfs.btrfs -L data /dev/sdb",
            "mkfs.fat -n BOOT /dev/sdb1",
        ],
        Format,
        RawDevice,
    );
    does(
        &[
            "dd if=/dev/zero of=/dev/sda",
            "dd of=/dev/sda",
            "cp a /dev/sda",
            "tee /dev/sda",
            "echo > /dev/sda",
            "cat a >/dev/sda",
            "dcfldd of=/dev/sda",
            "mv a /dev/sda",
        ],
        Write,
        RawDevice,
    );
    does(
        &["shred /dev/sda", "shred -n 3 -z /dev/sdb"],
        Shred,
        RawDevice,
    );
    for line in [
        "wipefs /dev/sda",
        "wipefs -n -a /dev/sda",
        "sgdisk -p /dev/sda",
        "mkfs.ext4 disk.img",
        "mkswap /swapfile",
        "parted /dev/sda print",
        "cryptsetup luksDump /dev/sda",
        "dd if=a of=disk.img",
        "cp a /dev/null",
        "mke2fs -n /dev/sda",
        "blkdiscard --help",
        "touch /dev/sda",
        "mknod /dev/sda b 8 0",
        "ln -sf /dev/sdb /dev/disk/by-label/x",
        "sgdisk -c1:boot /dev/sda",
        "mkfs --help",
        "echo > /dev/null",
    ] {
        let own = of(line);
        assert!(
            !own.iter()
                .any(|(verb, places)| *verb != Read && places.contains(&RawDevice)),
            "{line}: {own:?}"
        );
    }
}

#[test]
fn modes_that_let_everybody_write() {
    does(
        &[
            "chmod 777 a",
            "chmod 0777 a",
            "chmod 666 a",
            "chmod 1777 a",
            "chmod o+w a",
            "chmod a+rwx a",
            "chmod ugo+rwx a",
            "chmod a=rwx a",
            "chmod o=rw a",
            "chmod -R 777 a",
            "chmod \"777\" a",
            "chmod u=rwx,g=rx,o=rwx a",
            "chmod a 777 && chmod 777 a",
            "chmod -v 0002 a",
            "chmod o=u a",
            "chmod go+rwX a",
            "setfacl -m o::rwx a",
            "setfacl -m u:x:r,other:rw- a",
            "setfacl -Rm d:o::7 a",
            "install -m 777 k a",
            "mkdir -m 1777 a",
            "chmod --recursive a+w a",
            "chmod =777 a",
            "chmod o-r+w a",
        ],
        WorldWritable,
        Work,
    );
    does(
        &[
            "chmod u+s a",
            "chmod 4755 a",
            "chmod 2755 a",
            "chmod +s a",
            "install -m 4755 k a",
            "chmod ug+s a",
        ],
        Setuid,
        Work,
    );
    does_not(
        &[
            "chmod 755 a",
            "chmod 644 a",
            "chmod +x a",
            "chmod o-w a",
            "chmod u+w a",
            "chmod go-rwx a",
            "chmod -w a",
            "chmod 0700 a",
            "chmod 775 a",
            "chmod +w a",
            "chmod 1755 a",
            "setfacl -m u:x:rwx a",
            "setfacl -b a",
            "chmod o=rx a",
            "chmod u=rwx,o= a",
            "mkdir -m 700 a",
        ],
        &[WorldWritable, Setuid],
    );
    does(
        &["chmod -R 755 /usr", "chmod 755 -R /"],
        ModeTree,
        SystemRoot,
    );
    does(
        &[
            "chown -R root a",
            "chown -R root:root a",
            "chown --recursive 0:0 a",
            "chown root a -R",
        ],
        RootOwnerTree,
        Work,
    );
    does_not(
        &[
            "chown root a",
            "chown -R dev a",
            "chgrp -R root a",
            "chown -R dev:root a",
        ],
        &[RootOwnerTree],
    );
    does(
        &["chown -R nobody /usr/share", "chgrp -R x /usr/share"],
        OwnerTree,
        BelowSystem,
    );
}
