//! Kinds of secrets and their names.

/// What begins every replacement.
pub(crate) const MARK: &[u8] = b"[REDACTED:";

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident => $name:literal,)*) => {
        /// What a secret is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum SecretKind {
            $($(#[$doc])* $kind,)*
        }

        impl SecretKind {
            /// Every kind.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            /// Its name in replacements.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }
        }
    };
}

kinds! {
    /// A key of a model provider that has the common `sk-` form.
    OpenAi => "openai-key",
    /// An Anthropic key.
    Anthropic => "anthropic-key",
    /// A GitHub token.
    GitHub => "github-token",
    /// A GitLab token.
    GitLab => "gitlab-token",
    /// A Slack token.
    Slack => "slack-token",
    /// The id of an AWS access key.
    AwsKeyId => "aws-key-id",
    /// An AWS secret key.
    AwsSecret => "aws-secret-key",
    /// A Google API key or OAuth token.
    Google => "google-key",
    /// A Stripe key.
    Stripe => "stripe-key",
    /// An npm token.
    Npm => "npm-token",
    /// A PyPI token.
    PyPi => "pypi-token",
    /// A Hugging Face token.
    HuggingFace => "huggingface-token",
    /// A DigitalOcean token.
    DigitalOcean => "digitalocean-token",
    /// A SendGrid key.
    SendGrid => "sendgrid-key",
    /// A Twilio key.
    Twilio => "twilio-key",
    /// A Telegram bot's token.
    Telegram => "telegram-token",
    /// A token of another service with a published prefix.
    Service => "service-token",
    /// A JSON web token.
    Jwt => "jwt",
    /// A private key.
    PrivateKey => "private-key",
    /// An age secret key.
    Age => "age-key",
    /// The credential of an `Authorization` header.
    Authorization => "authorization",
    /// Cookies.
    Cookie => "cookie",
    /// A password in a URL.
    UrlPassword => "url-password",
    /// A value that its name calls a password.
    Password => "password",
    /// A value that its name calls a token, key or secret.
    Named => "secret",
}

/// Whether the value is a replacement, with at most a kept prefix in front, and nothing else.
pub(crate) fn is_replacement(value: &[u8]) -> bool {
    let Some(at) = value
        .windows(MARK.len().max(1))
        .take(48)
        .position(|part| part == MARK)
    else {
        return false;
    };
    let name = value
        .get(at + MARK.len()..)
        .and_then(|rest| rest.strip_suffix(b"]"));
    name.is_some_and(|name| {
        SecretKind::ALL
            .iter()
            .any(|kind| kind.name().as_bytes() == name)
            && value
                .get(..at)
                .is_some_and(|prefix| prefix.is_empty() || crate::shape::is_prefix(prefix))
    })
}
