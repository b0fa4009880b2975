//! What is told on standard error while work goes on. Who reads along may leave; the work goes on.

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

/// A progress bar with the time left on a terminal; plain lines elsewhere, a few in all.
pub(super) struct Bar {
    /// What is counted: `cells` or `claims`.
    unit: &'static str,
    shown: Mutex<Option<Shown>>,
}

enum Shown {
    Terminal(ProgressBar),
    Lines { total: u64, done: u64, start: Instant, last: Instant },
}

/// Between two plain lines.
const PAUSE: Duration = Duration::from_secs(20);

impl Bar {
    /// A bar that counts these.
    pub fn of(unit: &'static str) -> Self {
        Self { unit, shown: Mutex::new(None) }
    }

    /// So many to do.
    pub fn begin(&self, total: usize, message: String) {
        let (total, unit) = (total as u64, self.unit);
        let shown = if std::io::stderr().is_terminal() {
            let bar = ProgressBar::new(total);
            let template = format!("{{bar:30}} {{pos}}/{{len}} {unit}, {{eta}} left  {{msg}}");
            bar.set_style(ProgressStyle::with_template(&template).expect("the template is valid"));
            bar.set_message(message);
            Shown::Terminal(bar)
        } else {
            Shown::Lines { total, done: 0, start: Instant::now(), last: Instant::now() }
        };
        *self.shown.lock().expect("nothing panics while it is held") = Some(shown);
    }

    /// One is done.
    pub fn step(&self, message: String) {
        match &mut *self.shown.lock().expect("nothing panics while it is held") {
            Some(Shown::Terminal(bar)) => {
                bar.set_message(message);
                bar.inc(1);
            }
            Some(Shown::Lines { total, done, start, last }) => {
                *done += 1;
                if last.elapsed() > PAUSE {
                    *last = Instant::now();
                    // time left = time so far / done · what is left
                    let left = start.elapsed().as_secs_f64() / *done as f64 * (*total - *done) as f64;
                    note(format_args!("{done} of {total} {}, about {left:.0} s left", self.unit));
                }
            }
            None => {}
        }
    }
}

impl RunProgress for Bar {
    fn start(&self, to_run: usize, cached: usize) {
        if !std::io::stderr().is_terminal() && to_run + cached > 0 {
            note(format_args!("{to_run} cells to run, {cached} cached"));
        }
        self.begin(to_run, format!("{cached} cached"));
    }

    fn finished(&self, cell: &Cell, _: f64) {
        self.step(cell.name());
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Ok(Some(Shown::Terminal(bar))) = self.shown.get_mut().map(Option::take) {
            bar.finish_and_clear();
        }
    }
}
