//! `herma blocked`: kept copies.
use crate::exit::Exit;
use herma_config::Home;
pub(crate) fn list(_home: &Home, _json: bool) -> anyhow::Result<Exit> {
    Ok(Exit::Success)
}
pub(crate) fn show(_home: &Home, _id: &str, _json: bool) -> anyhow::Result<Exit> {
    Ok(Exit::Success)
}
pub(crate) fn report(_home: &Home, _id: &str) -> anyhow::Result<Exit> {
    Ok(Exit::Success)
}
