//! Colours that people with any colour vision can tell apart, on white and on paper.

/// Okabe and Ito's palette without its yellow, which is too pale on white.
const SERIES: [(u8, u8, u8); 7] = [
    (0, 114, 178),   // blue
    (213, 94, 0),    // vermilion
    (0, 158, 115),   // green
    (204, 121, 167), // purple
    (230, 159, 0),   // orange
    (86, 180, 233),  // sky
    (60, 60, 60),    // grey
];

/// Five stops of viridis, which rises evenly in lightness.
const HEAT: [(f64, f64, f64); 5] =
    [(68.0, 1.0, 84.0), (59.0, 82.0, 139.0), (33.0, 145.0, 140.0), (94.0, 201.0, 98.0), (253.0, 231.0, 37.0)];

/// The colour of series i; they repeat after seven, with hollow marks.
///
/// ```
/// assert_eq!(ebmbook::show::colour(0), (0, 114, 178));
/// ```
pub fn colour(i: usize) -> (u8, u8, u8) {
    SERIES[i % SERIES.len()]
}

/// Whether the colour of series i was there before, so that its marks are hollow.
pub(super) fn is_hollow(i: usize) -> bool {
    i / SERIES.len() % 2 == 1
}

/// The colour of a share of the range, 0 dark to 1 light.
///
/// ```
/// assert_eq!(ebmbook::show::heat_colour(0.0), (68, 1, 84));
/// assert_eq!(ebmbook::show::heat_colour(7.0), (253, 231, 37), "beyond the range is its end");
/// ```
pub fn heat_colour(share: f64) -> (u8, u8, u8) {
    let at = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) } * (HEAT.len() - 1) as f64;
    let low = (at.floor() as usize).min(HEAT.len() - 2);
    let t = at - low as f64;
    let (a, b) = (HEAT[low], HEAT[low + 1]);
    let mix = |a: f64, b: f64| (a + t * (b - a)).round() as u8;
    (mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}
