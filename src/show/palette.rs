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

/// The colour of series i; they repeat after seven, with other marks.
///
/// ```
/// assert_eq!(ebmbook::show::colour(0), (0, 114, 178));
/// ```
pub fn colour(i: usize) -> (u8, u8, u8) {
    SERIES[i % SERIES.len()]
}

/// The sign at a point. Series of one family share a colour and differ in the sign: full, hollow, strokes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Mark {
    Disc,
    Ring,
    Cross,
    Square,
    HollowSquare,
    Plus,
    Triangle,
    HollowTriangle,
    Bar,
}

/// Full, hollow and strokes, for each round of the colours.
const MARKS: [[Mark; 3]; 3] = [
    [Mark::Disc, Mark::Ring, Mark::Cross],
    [Mark::Square, Mark::HollowSquare, Mark::Plus],
    [Mark::Triangle, Mark::HollowTriangle, Mark::Bar],
];

/// The mark of a member (0 full, 1 hollow, 2 strokes) of a family: together with the colour it is unique for 21 families of three.
pub(super) fn mark(family: usize, member: usize) -> Mark {
    MARKS[family / SERIES.len() % MARKS.len()][member % 3]
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_of_sixty_three_series_look_the_same() {
        let looks = (0..21).flat_map(|f| (0..3).map(move |m| format!("{:?} {:?}", colour(f), mark(f, m))));
        assert_eq!(looks.collect::<BTreeSet<_>>().len(), 63);
    }
}
