//! Which command a word names: aliases, case, and the extensions of programs.

/// Cmdlets that have an effect or a meaning here, each behind its aliases.
const CMDLETS: &[(&str, &str)] = &[
    ("Add-Content", "ac"),
    ("Add-Type", ""),
    ("Clear-Content", "clc"),
    ("Clear-Disk", ""),
    ("Clear-Item", "cli"),
    ("Clear-RecycleBin", ""),
    ("Clear-ItemProperty", "clp"),
    ("Compare-Object", "compare diff"),
    ("Compress-Archive", ""),
    ("Copy-Item", "copy cp cpi"),
    ("Expand-Archive", ""),
    ("Export-Csv", "epcsv"),
    ("Export-Clixml", ""),
    ("ForEach-Object", "% foreach"),
    ("Format-List", "fl"),
    ("Format-Table", "ft"),
    ("Format-Volume", ""),
    ("Get-Alias", "gal"),
    ("Get-ChildItem", "dir gci ls"),
    ("Get-Command", "gcm"),
    ("Get-Content", "cat gc type"),
    ("Get-Help", "help man"),
    ("Get-History", "ghy h history"),
    ("Get-Item", "gi"),
    ("Get-ItemProperty", "gp"),
    ("Get-Job", "gjb"),
    ("Get-Location", "gl pwd"),
    ("Get-Member", "gm"),
    ("Get-Process", "gps ps"),
    ("Get-Service", "gsv"),
    ("Get-Unique", "gu"),
    ("Get-Variable", "gv"),
    ("Group-Object", "group"),
    ("Import-Csv", "ipcsv"),
    ("Import-Module", "ipmo"),
    ("Invoke-Command", "icm"),
    ("Invoke-Expression", "iex"),
    ("Invoke-History", "ihy r"),
    ("Invoke-Item", "ii"),
    ("Invoke-RestMethod", "irm"),
    ("Invoke-WebRequest", "iwr curl wget"),
    ("Measure-Object", "measure"),
    ("Move-Item", "mi move mv"),
    ("New-Alias", "nal"),
    ("New-Item", "ni"),
    ("New-ItemProperty", ""),
    ("New-Variable", "nv"),
    ("Out-File", ""),
    ("Out-Host", "oh"),
    ("Pop-Location", "popd"),
    ("Push-Location", "pushd"),
    ("Receive-Job", "rcjb"),
    ("Remove-Item", "del erase rd ri rm rmdir"),
    ("Remove-ItemProperty", "rp"),
    ("Remove-Variable", "rv"),
    ("Rename-Item", "ren rni"),
    ("Resolve-Path", "rvpa"),
    ("Restart-Computer", ""),
    ("Select-Object", "select"),
    ("Select-String", "sls"),
    ("Set-Acl", ""),
    ("Set-Alias", "sal"),
    ("Set-Content", ""),
    ("Set-Item", "si"),
    ("Set-ItemProperty", "sp"),
    ("Set-Location", "cd chdir sl"),
    ("Set-Variable", "set sv"),
    ("Sort-Object", "sort"),
    ("Start-BitsTransfer", ""),
    ("Start-Job", "sajb"),
    ("Start-Process", "saps start"),
    ("Start-Service", "sasv"),
    ("Start-Sleep", "sleep"),
    ("Stop-Computer", ""),
    ("Stop-Process", "kill spps"),
    ("Stop-Service", "spsv"),
    ("Tee-Object", "tee"),
    ("Test-Path", ""),
    ("Where-Object", "? where"),
    ("Write-Host", ""),
    ("Write-Output", "echo write"),
];

/// Directories whose programs are known by their names.
const SYSTEM: &[&[u8]] = &[
    b"c:/windows/system32/windowspowershell/v1.0/",
    b"c:/windows/system32/",
    b"c:/windows/syswow64/",
    b"c:/windows/sysnative/",
    b"c:/windows/",
];

/// The command that a word names in PowerShell.
pub(crate) fn powershell(word: &[u8]) -> Vec<u8> {
    // `Microsoft.PowerShell.Management\Remove-Item`
    let base = match word.iter().rposition(|byte| *byte == b'\\') {
        Some(at)
            if word.get(at + 1..).is_some_and(|rest| rest.contains(&b'-'))
                && !word.contains(&b':')
                && !word.starts_with(b".") =>
        {
            word.get(at + 1..).unwrap_or_default()
        }
        _ => word,
    };
    let Ok(name) = std::str::from_utf8(base) else {
        return word.to_vec();
    };
    for (cmdlet, aliases) in CMDLETS {
        if cmdlet.eq_ignore_ascii_case(name)
            || aliases
                .split(' ')
                .any(|alias| !alias.is_empty() && alias.eq_ignore_ascii_case(name))
        {
            return cmdlet.as_bytes().to_vec();
        }
    }
    // `sc` is a program in PowerShell 7, and Set-Content in Windows PowerShell.
    program(word)
}

/// The program that a word names.
pub(crate) fn program(word: &[u8]) -> Vec<u8> {
    let mut path: Vec<u8> = word
        .iter()
        .map(|byte| if *byte == b'\\' { b'/' } else { *byte })
        .collect();
    let lower = path.to_ascii_lowercase();
    if let Some(system) = SYSTEM.iter().find(|system| {
        lower.starts_with(system)
            && !lower
                .get(system.len()..)
                .unwrap_or_default()
                .contains(&b'/')
    }) {
        path.drain(..system.len());
    }
    let base = path
        .iter()
        .rposition(|byte| *byte == b'/')
        .map_or(0, |at| at + 1);
    let name = path.split_off(base);
    let mut name = if base == 0 {
        name.to_ascii_lowercase()
    } else {
        name
    };
    let lower = name.to_ascii_lowercase();
    let extensions: &[&[u8]] = if base == 0 {
        &[b".exe", b".com", b".cmd", b".bat"]
    } else {
        &[b".exe", b".com"]
    };
    for extension in extensions {
        if lower.len() > extension.len() && lower.ends_with(extension) {
            name.truncate(lower.len() - extension.len());
            break;
        }
    }
    path.extend(name);
    path
}

/// Programs that are installed as batch files.
const SHIMS: &[&[u8]] = &[
    b"npm",
    b"npx",
    b"yarn",
    b"yarnpkg",
    b"pnpm",
    b"pnpx",
    b"corepack",
    b"tsc",
    b"code",
    b"gcloud",
    b"gsutil",
    b"az",
    b"mvn",
    b"gradle",
    b"ant",
    b"flutter",
    b"dart",
    b"ng",
    b"eslint",
    b"jest",
    b"vite",
    b"prettier",
    b"composer",
    b"bundle",
    b"gem",
    b"rake",
    b"firebase",
    b"vercel",
    b"wrangler",
];

/// The batch file that a word names, found in the directory first.
pub(crate) fn batch(word: &[u8]) -> Option<Vec<u8>> {
    let lower = word.to_ascii_lowercase();
    let stem = lower
        .strip_suffix(b".bat")
        .or_else(|| lower.strip_suffix(b".cmd"))?;
    if SHIMS.contains(&stem) {
        return None;
    }
    if word.iter().any(|byte| b"\\/:".contains(byte)) {
        let path = word.iter();
        return Some(
            path.map(|byte| if *byte == b'\\' { b'/' } else { *byte })
                .collect(),
        );
    }
    Some([b"./", word].concat())
}
