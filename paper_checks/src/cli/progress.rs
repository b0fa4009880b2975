//! What is told on standard error while work goes on. Who reads along may leave; the work goes on.

use super::text::lasting;
use crate::study::{Cell, RunProgress};
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A line on standard error. A reader who has left is no reason to stop.
pub(super) fn note(line: impl Display) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// A progress bar with the time left on a terminal; plain lines elsewhere, a few in all. Time is reckoned by what the
/// things that are counted weigh: seconds for cells.
pub(super) struct Bar {
    /// What is counted: `cells` or `claims`.
    unit: &'static str,
    shown: Mutex<Option<Shown>>,
}

struct Shown {
    /// On a terminal.
    bar: Option<ProgressBar>,
    total: usize,
    done: usize,
    weight: f64,
    weight_done: f64,
    start: Instant,
    last: Instant,
    /// What tasks of a cluster do.
    status: String,
}

/// Between two plain lines.
const PAUSE: Duration = Duration::from_secs(20);
/// Steps of the bar for one unit of weight.
const FINE: f64 = 1e3;
/// The share of the work, and the seconds, after which the time left can be told.
const ENOUGH: (f64, f64) = (0.02, 2.0);

/// What to say of the time left after so many seconds, by the share that is done: nothing while there is little to go by.
fn left(seconds: f64, done: f64) -> String {
    if done.is_nan() || done < ENOUGH.0 || seconds < ENOUGH.1 {
        return String::new();
    }
    // time left = time so far / done · what is left
    format!(", about {} left", lasting(seconds * (1.0 / done - 1.0)))
}

impl Shown {
    fn show(&mut self, unit: &str, of: &str) {
        let words = [of, &self.status];
        let more: String = words.iter().filter(|w| !w.is_empty()).map(|word| format!(", {word}")).collect();
        let counted = format!("{} of {} {unit}", self.done, self.total);
        let left = left(self.start.elapsed().as_secs_f64(), self.weight_done / self.weight);
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{counted}{more}{left}"));
            bar.set_position((FINE * self.weight_done) as u64);
        } else if self.last.elapsed() > PAUSE {
            self.last = Instant::now();
            let status = if self.status.is_empty() { String::new() } else { format!("; {}", self.status) };
            note(format_args!("{counted}{left}{status}"));
        }
    }
}

impl Bar {
    /// A bar that counts these.
    pub fn of(unit: &'static str) -> Self {
        Self { unit, shown: Mutex::new(None) }
    }

    /// So many to do, which weigh so much together.
    pub fn begin(&self, total: usize, weight: f64) {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new((FINE * weight) as u64);
            let style = ProgressStyle::with_template("{bar:30} {msg}");
            bar.set_style(style.expect("the template is valid"));
            bar.set_message(format!("0 of {total} {}", self.unit));
            bar
        });
        let now = Instant::now();
        let shown = Shown {
            bar,
            total,
            done: 0,
            weight,
            weight_done: 0.0,
            start: now,
            last: now,
            status: String::new(),
        };
        *self.shown.lock().expect("nothing panics while it is held") = Some(shown);
    }

    /// One is done: what it belongs to, and its weight.
    pub fn step(&self, of: &str, weight: f64) {
        let mut shown = self.shown.lock().expect("nothing panics while it is held");
        let Some(shown) = &mut *shown else { return };
        shown.done += 1;
        shown.weight_done += weight;
        shown.show(self.unit, of);
    }

    /// Does something, such as printing, while the bar is out of the way.
    pub fn aside(&self, work: impl FnOnce()) {
        let bar =
            self.shown.lock().expect("nothing panics while it is held").as_ref().and_then(|s| s.bar.clone());
        match bar {
            Some(bar) => bar.suspend(work),
            None => work(),
        }
    }
}

impl RunProgress for Bar {
    fn start(&self, to_run: &[&Cell], cached: usize) {
        if to_run.len() + cached > 0 {
            note(format_args!("{} cells to run, {cached} there already", to_run.len()));
        }
        self.begin(to_run.len(), to_run.iter().map(|cell| cell.expected_seconds()).sum());
    }

    fn finished(&self, cell: &Cell, _: f64) {
        self.step(&cell.study, cell.expected_seconds());
    }

    fn status(&self, tasks: &str) {
        if let Some(shown) = &mut *self.shown.lock().expect("nothing panics while it is held") {
            shown.status = tasks.to_owned();
            shown.show(self.unit, "");
        }
    }

    fn say(&self, line: &str) {
        self.aside(|| note(line));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Ok(Some(Shown { bar: Some(bar), .. })) = self.shown.get_mut().map(Option::take) {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_told_once_there_is_something_to_reckon_it_by() {
        assert_eq!([left(0.1, 0.0), left(0.1, 0.5), left(30.0, 0.01)], ["", "", ""]);
        assert_eq!(left(30.0, 0.25), ", about 1 min 30 s left");
        assert_eq!(left(30.0, 1.0), ", about 0.0 s left");
    }
}
