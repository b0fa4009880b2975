//! Random numbers sixteen at a time, for the noise of training.

use super::Seed;
use rand::RngCore;

/// Numbers that are drawn side by side.
pub const LANES: usize = 16;

/// Sixteen generators xoshiro128++ (Blackman & Vigna 2021) side by side, each started from 128 bits of its own. The
/// numbers do not depend on the processor.
///
/// ```
/// use ebmbook::seed::Seed;
/// let (mut one, mut other) = (Seed::new(1).bulk(), Seed::new(1).bulk());
/// assert_eq!(one.words(), other.words());
/// ```
#[derive(Clone, Debug)]
pub struct Bulk {
    state: [[u32; LANES]; 4],
}

impl Seed {
    /// Generators that start at this node.
    pub fn bulk(&self) -> Bulk {
        let mut rng = self.rng();
        Bulk { state: std::array::from_fn(|_| std::array::from_fn(|_| rng.next_u32())) }
    }
}

impl Bulk {
    /// Sixteen times 32 random bits.
    #[inline(always)]
    pub fn words(&mut self) -> [u32; LANES] {
        let [a, b, c, d] = &mut self.state;
        let mut words = [0; LANES];
        for v in 0..LANES {
            words[v] = a[v].wrapping_add(d[v]).rotate_left(7).wrapping_add(a[v]);
            let t = b[v] << 9;
            c[v] ^= a[v];
            d[v] ^= b[v];
            b[v] ^= c[v];
            a[v] ^= d[v];
            c[v] ^= t;
            d[v] = d[v].rotate_left(11);
        }
        words
    }

    /// Two times sixteen standard normals, by Box and Muller's transform of two uniform numbers:
    ///
    /// ```text
    /// √(−2 ln u) · (cos πt, sin πt),     u ∈ (0, 1],  t ∈ [−1, 1)
    /// ```
    ///
    /// In single precision, with |z| up to 6.6.
    #[inline(always)]
    pub fn normals(&mut self) -> [[f32; LANES]; 2] {
        let (first, second) = (self.words(), self.words());
        let (mut x, mut y) = ([0.0; LANES], [0.0; LANES]);
        for v in 0..LANES {
            let u = ((first[v] >> 1) as i32 as f32 + 0.5) * 2.0_f32.powi(-31);
            let radius = (-2.0 * log(u)).sqrt();
            let (cos, sin) = cos_sin_pi(second[v] as i32 as f32 * 2.0_f32.powi(-31));
            (x[v], y[v]) = (radius * cos, radius * sin);
        }
        [x, y]
    }
}

/// ln u for a normal number u: with u = 2ᵉm and √½ ≤ m < √2, e ln 2 + 2 artanh((m − 1)/(m + 1)).
#[inline(always)]
fn log(u: f32) -> f32 {
    // What is above √½ of its power of two goes to the next one.
    let bits = u.to_bits().wrapping_add(0x3f80_0000 - std::f32::consts::FRAC_1_SQRT_2.to_bits());
    let exponent = (bits >> 23) as i32 - 127;
    let m = f32::from_bits((bits & 0x007f_ffff) + std::f32::consts::FRAC_1_SQRT_2.to_bits());
    let z = (m - 1.0) / (m + 1.0);
    let square = z * z;
    let mut series = 0.0_f32;
    for i in (0..=5).rev() {
        series = series.mul_add(square, 2.0 / (2 * i + 1) as f32);
    }
    (exponent as f32).mul_add(std::f32::consts::LN_2, z * series)
}

/// cos πt and sin πt for t ∈ [−1, 1]: their series on the quarter turn around the nearest half, which says the rest.
#[inline(always)]
fn cos_sin_pi(t: f32) -> (f32, f32) {
    const SHIFT: f32 = 1.5 * (1 << 23) as f32;
    let shifted = 2.0_f32.mul_add(t, SHIFT);
    let half_turns = shifted.to_bits();
    let angle = std::f32::consts::PI * (shifted - SHIFT).mul_add(-0.5, t);
    let square = angle * angle;
    let mut sin = 1.0 / 362_880.0_f32;
    for inverse in [-1.0 / 5_040.0, 1.0 / 120.0, -1.0 / 6.0, 1.0] {
        sin = sin.mul_add(square, inverse);
    }
    let sin = angle * sin;
    let mut cos = -1.0 / 3_628_800.0_f32;
    for inverse in [1.0 / 40_320.0, -1.0 / 720.0, 1.0 / 24.0, -0.5, 1.0] {
        cos = cos.mul_add(square, inverse);
    }
    // The last two bits count half turns: 0 → (c, s), 1 → (−s, c), 2 → (−c, −s), 3 → (s, −c).
    let odd = half_turns & 1 == 1;
    let (x, y) = if odd { (sin, cos) } else { (cos, sin) };
    let signed = |value: f32, negative: u32| f32::from_bits(value.to_bits() ^ (negative << 31));
    (signed(x, (half_turns ^ (half_turns >> 1)) & 1), signed(y, (half_turns >> 1) & 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn a_lane_is_xoshiro128_plus_plus() {
        // The first numbers of the generator's published reference from the state 1, 2, 3, 4.
        let mut bulk = Bulk { state: [[1; LANES], [2; LANES], [3; LANES], [4; LANES]] };
        let numbers: Vec<u32> = (0..5).map(|_| bulk.words()[7]).collect();
        assert_eq!(numbers, [641, 1_573_767, 3_222_811_527, 3_517_856_514, 836_907_274]);
    }

    #[test]
    fn log_cos_and_sin_are_good_to_single_precision() {
        for i in 1..100_000 {
            let u = i as f32 / 1e5;
            let right = f64::from(u).ln();
            assert!((f64::from(log(u)) - right).abs() < 4e-7 * (1.0 + right.abs()), "ln {u}");
            let t = 2.0 * u - 1.0;
            let (cos, sin) = cos_sin_pi(t);
            let angle = PI * f64::from(t);
            assert!((f64::from(cos) - angle.cos()).abs() < 3e-7, "cos π{t}: {cos}");
            assert!((f64::from(sin) - angle.sin()).abs() < 3e-7, "sin π{t}: {sin}");
        }
    }

    #[test]
    fn the_first_normals_are_pinned() {
        // A change here changes every trained network: it needs a line in the changelog.
        let mut bulk = Seed::new(2022).child("golden").bulk();
        insta::assert_debug_snapshot!(bulk.normals().map(|z| z[..4].to_vec()));
    }

    #[test]
    fn normals_have_the_moments_and_the_tails_of_normals() {
        let mut bulk = Seed::new(1).bulk();
        let draws = 1 << 20;
        let (mut sums, mut beyond, mut across) = ([0.0; 4], 0.0, 0.0);
        for _ in 0..draws / 32 {
            let [x, y] = bulk.normals();
            across += x.iter().zip(&y).map(|(x, y)| f64::from(x * y)).sum::<f64>();
            for z in x.into_iter().chain(y).map(f64::from) {
                (0..4).for_each(|p| sums[p] += z.powi(p as i32 + 1));
                beyond += f64::from(u8::from(z.abs() > 3.0));
            }
        }
        let n = f64::from(draws);
        // Four standard errors: Var zᵖ = 1, 2, 15, 96; P(|z| > 3) = .0027; xy has variance 1.
        for (sum, (mean, variance)) in
            sums.into_iter().zip([(0.0, 1.0), (1.0, 2.0), (0.0, 15.0), (3.0, 96.0)])
        {
            assert!((sum / n - mean).abs() < 4.0 * (variance / n).sqrt(), "{} against {mean}", sum / n);
        }
        assert!((beyond / n - 0.0026998).abs() < 4.0 * (0.0027 / n).sqrt(), "{}", beyond / n);
        assert!((across / (n / 2.0)).abs() < 4.0 / (n / 2.0).sqrt());
    }
}
