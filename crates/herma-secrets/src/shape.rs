//! Keys and tokens with a published shape.

use crate::kind::SecretKind;
use crate::value;

/// Which bytes a token is made of, behind its prefix.
#[derive(Clone, Copy)]
enum Body {
    /// Letters and digits.
    Alnum,
    /// Letters, digits, `_` and `-`.
    Url,
    /// The same and `.`.
    Dotted,
    /// Hexadecimal digits.
    Hex,
    /// Capitals and digits.
    Upper,
}

impl Body {
    fn holds(self, byte: u8) -> bool {
        match self {
            Self::Alnum => byte.is_ascii_alphanumeric(),
            Self::Url => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Self::Dotted => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'),
            Self::Hex => byte.is_ascii_hexdigit(),
            Self::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
        }
    }
}

/// How sure the prefix alone makes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Check {
    /// The prefix is used for nothing else.
    Prefix,
    /// Words begin like this too: capitals, small letters and digits are wanted.
    Mixed,
    /// Words begin like this too: a digit is wanted.
    Digit,
}

struct Shape {
    prefix: &'static [u8],
    body: Body,
    /// Shortest body in bytes.
    min: usize,
    /// Longest body in bytes; a longer one is something else.
    max: usize,
    check: Check,
    kind: SecretKind,
}

const ANY: usize = usize::MAX;

const fn shape(
    prefix: &'static [u8],
    body: Body,
    min: usize,
    max: usize,
    check: Check,
    kind: SecretKind,
) -> Shape {
    Shape {
        prefix,
        body,
        min,
        max,
        check,
        kind,
    }
}

/// The shapes, those with the same first byte side by side; where one prefix begins with another,
/// the longer one stands first.
const SHAPES: &[Shape] = &[
    shape(
        b"sk-ant-",
        Body::Url,
        16,
        ANY,
        Check::Prefix,
        SecretKind::Anthropic,
    ),
    shape(
        b"sk-proj-",
        Body::Url,
        16,
        ANY,
        Check::Prefix,
        SecretKind::OpenAi,
    ),
    shape(
        b"sk-svcacct-",
        Body::Url,
        16,
        ANY,
        Check::Prefix,
        SecretKind::OpenAi,
    ),
    shape(
        b"sk-or-",
        Body::Url,
        16,
        ANY,
        Check::Digit,
        SecretKind::OpenAi,
    ),
    shape(b"sk-", Body::Url, 20, ANY, Check::Digit, SecretKind::OpenAi),
    shape(
        b"sk_live_",
        Body::Alnum,
        10,
        ANY,
        Check::Prefix,
        SecretKind::Stripe,
    ),
    shape(
        b"sk_test_",
        Body::Alnum,
        10,
        ANY,
        Check::Digit,
        SecretKind::Stripe,
    ),
    shape(
        b"shpat_",
        Body::Hex,
        20,
        ANY,
        Check::Prefix,
        SecretKind::Service,
    ),
    shape(
        b"sntrys_",
        Body::Url,
        20,
        ANY,
        Check::Prefix,
        SecretKind::Service,
    ),
    shape(
        b"github_pat_",
        Body::Url,
        20,
        ANY,
        Check::Prefix,
        SecretKind::GitHub,
    ),
    shape(
        b"ghp_",
        Body::Alnum,
        20,
        ANY,
        Check::Prefix,
        SecretKind::GitHub,
    ),
    shape(
        b"gho_",
        Body::Alnum,
        20,
        ANY,
        Check::Prefix,
        SecretKind::GitHub,
    ),
    shape(
        b"ghu_",
        Body::Alnum,
        20,
        ANY,
        Check::Prefix,
        SecretKind::GitHub,
    ),
    shape(
        b"ghs_",
        Body::Dotted,
        20,
        ANY,
        Check::Prefix,
        SecretKind::GitHub,
    ),
    shape(
        b"ghr_",
        Body::Alnum,
        20,
        ANY,
        Check::Prefix,
        SecretKind::GitHub,
    ),
    shape(
        b"glpat-",
        Body::Dotted,
        16,
        ANY,
        Check::Prefix,
        SecretKind::GitLab,
    ),
    shape(
        b"glrt-",
        Body::Dotted,
        16,
        ANY,
        Check::Prefix,
        SecretKind::GitLab,
    ),
    shape(
        b"gldt-",
        Body::Dotted,
        16,
        ANY,
        Check::Prefix,
        SecretKind::GitLab,
    ),
    shape(
        b"gsk_",
        Body::Alnum,
        30,
        ANY,
        Check::Mixed,
        SecretKind::Service,
    ),
    shape(
        b"xoxa-",
        Body::Url,
        10,
        ANY,
        Check::Digit,
        SecretKind::Slack,
    ),
    shape(
        b"xoxb-",
        Body::Url,
        10,
        ANY,
        Check::Digit,
        SecretKind::Slack,
    ),
    shape(
        b"xoxp-",
        Body::Url,
        10,
        ANY,
        Check::Digit,
        SecretKind::Slack,
    ),
    shape(
        b"xoxr-",
        Body::Url,
        10,
        ANY,
        Check::Digit,
        SecretKind::Slack,
    ),
    shape(
        b"xoxs-",
        Body::Url,
        10,
        ANY,
        Check::Digit,
        SecretKind::Slack,
    ),
    shape(
        b"xoxc-",
        Body::Url,
        10,
        ANY,
        Check::Digit,
        SecretKind::Slack,
    ),
    shape(
        b"xoxd-",
        Body::Url,
        10,
        ANY,
        Check::Digit,
        SecretKind::Slack,
    ),
    shape(
        b"xoxe.",
        Body::Dotted,
        10,
        ANY,
        Check::Digit,
        SecretKind::Slack,
    ),
    shape(
        b"xapp-",
        Body::Url,
        10,
        ANY,
        Check::Digit,
        SecretKind::Slack,
    ),
    shape(
        b"xai-",
        Body::Alnum,
        40,
        ANY,
        Check::Mixed,
        SecretKind::Service,
    ),
    shape(
        b"AKIA",
        Body::Upper,
        16,
        16,
        Check::Prefix,
        SecretKind::AwsKeyId,
    ),
    shape(
        b"ASIA",
        Body::Upper,
        16,
        16,
        Check::Prefix,
        SecretKind::AwsKeyId,
    ),
    shape(
        b"AIza",
        Body::Url,
        30,
        45,
        Check::Prefix,
        SecretKind::Google,
    ),
    shape(
        b"AGE-SECRET-KEY-1",
        Body::Upper,
        40,
        ANY,
        Check::Prefix,
        SecretKind::Age,
    ),
    shape(
        b"ATATT3",
        Body::Url,
        40,
        ANY,
        Check::Mixed,
        SecretKind::Service,
    ),
    shape(
        b"ya29.",
        Body::Dotted,
        20,
        ANY,
        Check::Prefix,
        SecretKind::Google,
    ),
    shape(
        b"GOCSPX-",
        Body::Url,
        20,
        ANY,
        Check::Prefix,
        SecretKind::Google,
    ),
    shape(
        b"rk_live_",
        Body::Alnum,
        10,
        ANY,
        Check::Prefix,
        SecretKind::Stripe,
    ),
    shape(
        b"rk_test_",
        Body::Alnum,
        10,
        ANY,
        Check::Digit,
        SecretKind::Stripe,
    ),
    shape(
        b"r8_",
        Body::Alnum,
        30,
        ANY,
        Check::Mixed,
        SecretKind::Service,
    ),
    shape(
        b"rubygems_",
        Body::Hex,
        32,
        ANY,
        Check::Prefix,
        SecretKind::Service,
    ),
    shape(
        b"whsec_",
        Body::Alnum,
        16,
        ANY,
        Check::Prefix,
        SecretKind::Stripe,
    ),
    shape(b"npm_", Body::Alnum, 30, 60, Check::Mixed, SecretKind::Npm),
    shape(b"pypi-", Body::Url, 40, ANY, Check::Mixed, SecretKind::PyPi),
    shape(
        b"pplx-",
        Body::Alnum,
        30,
        ANY,
        Check::Mixed,
        SecretKind::Service,
    ),
    shape(
        b"hf_",
        Body::Alnum,
        30,
        60,
        Check::Mixed,
        SecretKind::HuggingFace,
    ),
    shape(
        b"hvs.",
        Body::Url,
        20,
        ANY,
        Check::Mixed,
        SecretKind::Service,
    ),
    shape(
        b"dop_v1_",
        Body::Hex,
        32,
        ANY,
        Check::Prefix,
        SecretKind::DigitalOcean,
    ),
    shape(
        b"doo_v1_",
        Body::Hex,
        32,
        ANY,
        Check::Prefix,
        SecretKind::DigitalOcean,
    ),
    shape(
        b"dor_v1_",
        Body::Hex,
        32,
        ANY,
        Check::Prefix,
        SecretKind::DigitalOcean,
    ),
    shape(
        b"dckr_pat_",
        Body::Url,
        20,
        ANY,
        Check::Prefix,
        SecretKind::Service,
    ),
    shape(
        b"SG.",
        Body::Dotted,
        40,
        ANY,
        Check::Mixed,
        SecretKind::SendGrid,
    ),
    shape(b"SK", Body::Hex, 32, 32, Check::Digit, SecretKind::Twilio),
    shape(
        b"lin_api_",
        Body::Alnum,
        20,
        ANY,
        Check::Prefix,
        SecretKind::Service,
    ),
    shape(
        b"tskey-",
        Body::Url,
        16,
        ANY,
        Check::Digit,
        SecretKind::Service,
    ),
    shape(
        b"figd_",
        Body::Url,
        30,
        ANY,
        Check::Mixed,
        SecretKind::Service,
    ),
    shape(
        b"PMAK-",
        Body::Url,
        30,
        ANY,
        Check::Digit,
        SecretKind::Service,
    ),
];

/// The prefix that a web token keeps.
const JWT: &[u8] = b"eyJ";

/// For each byte the range of the shapes that begin with it.
const GROUPS: [(usize, usize); 256] = groups();

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const fn groups() -> [(usize, usize); 256] {
    let mut groups = [(0, 0); 256];
    let mut index = 0;
    while index < SHAPES.len() {
        let group = &mut groups[SHAPES[index].prefix[0] as usize];
        if group.1 == 0 {
            group.0 = index;
        }
        assert!(group.1 == 0 || group.1 == index, "shapes are grouped");
        group.1 = index + 1;
        index += 1;
    }
    groups
}

/// Whether this is a prefix that replacements keep.
pub(crate) fn is_prefix(bytes: &[u8]) -> bool {
    bytes == JWT || SHAPES.iter().any(|shape| shape.prefix == bytes)
}

/// The secret that begins at `at`: its kind, the start behind the prefix, and the end.
pub(crate) fn at(text: &[u8], at: usize) -> Option<(SecretKind, usize, usize)> {
    let rest = text.get(at..)?;
    let first = *rest.first()?;
    if rest.starts_with(JWT) {
        return web_token(rest).map(|end| (SecretKind::Jwt, at + JWT.len(), at + end));
    }
    let (from, to) = *GROUPS.get(usize::from(first))?;
    let shape = SHAPES
        .get(from..to)?
        .iter()
        .find(|shape| rest.starts_with(shape.prefix))?;
    let body = rest.get(shape.prefix.len()..)?;
    let length = body
        .iter()
        .take_while(|byte| shape.body.holds(**byte))
        .count();
    let body = body.get(..length)?;
    // A full stop ends a sentence, not a token.
    let body = body.strip_suffix(b".").unwrap_or(body);
    if body.len() < shape.min || body.len() > shape.max {
        return None;
    }
    let has = |test: fn(&u8) -> bool| body.iter().any(test);
    let fits = match shape.check {
        Check::Prefix => true,
        Check::Digit => has(u8::is_ascii_digit),
        Check::Mixed => {
            has(u8::is_ascii_digit) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase)
        }
    };
    if !fits || value::stands_for_one(body) {
        return None;
    }
    let start = at + shape.prefix.len();
    Some((shape.kind, start, start + body.len()))
}

/// The length of a JSON web token: three parts, the last may be empty.
fn web_token(rest: &[u8]) -> Option<usize> {
    let mut at = 0;
    for least in [12, 8, 0] {
        let part = rest.get(at..)?;
        let length = part
            .iter()
            .take_while(|byte| Body::Url.holds(**byte))
            .count();
        if length < least {
            return None;
        }
        at += length;
        if least > 0 {
            if rest.get(at) != Some(&b'.') {
                return None;
            }
            at += 1;
        }
    }
    Some(at)
}
