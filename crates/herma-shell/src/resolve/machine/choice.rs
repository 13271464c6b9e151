//! Which of several possible values a run of a command takes.

/// The possible values that were picked for the current run of a command.
#[derive(Default)]
pub(crate) struct Choice {
    picks: Vec<(Vec<u8>, usize, usize)>,
    runs: usize,
    /// Too many combinations: names with several values count as unknown.
    pub(crate) blurred: bool,
}

impl Choice {
    /// Which of `count` possible values of this name the current run takes.
    pub(crate) fn pick(&mut self, name: &[u8], count: usize) -> usize {
        if count < 2 {
            return 0;
        }
        if let Some((_, picked, _)) = self.picks.iter().find(|(known, ..)| known == name) {
            return (*picked).min(count - 1);
        }
        self.picks.push((name.to_vec(), 0, count));
        0
    }

    /// Whether there was nothing to pick, and everything was known as it is.
    pub(crate) fn is_single(&self) -> bool {
        self.picks.is_empty() && !self.blurred
    }

    /// Goes to the next combination; `false` when all were tried. Behind `limit` of them the names
    /// count as unknown, in one last run.
    pub(crate) fn advance(&mut self, limit: usize) -> bool {
        self.runs += 1;
        if self.blurred {
            return false;
        }
        if self.runs >= limit
            && self
                .picks
                .iter()
                .any(|(_, picked, count)| picked + 1 < *count)
        {
            self.blurred = true;
            return true;
        }
        while let Some((_, picked, count)) = self.picks.last_mut() {
            *picked += 1;
            if *picked < *count {
                return true;
            }
            self.picks.pop();
        }
        false
    }
}
