//! The two random streams behind the authors' data: uniform draws of network weights, and the
//! older NumPy interface (double, normal, Bernoulli, shuffle).

use super::Mt19937;

const TWO_POW_53: f64 = 9_007_199_254_740_992.0;

/// The stream that draws network weights: 53 bits of two outputs, the first is the high half.
///
/// ```
/// let mut stream = ebmbook::seed::legacy::NetworkStream::new(524);
/// assert_eq!(stream.uniform(-0.5, 0.5), -0.4292017648207963);
/// ```
pub struct NetworkStream(Mt19937);

impl NetworkStream {
    /// The stream for an integer seed.
    pub fn new(seed: u32) -> Self {
        Self(Mt19937::new(seed))
    }

    /// One draw from U[low, high).
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        let (hi, lo) = (u64::from(self.0.next_u32()), u64::from(self.0.next_u32()));
        // ((hi≪32 | lo) mod 2⁵³) / 2⁵³
        let unit = ((hi << 32 | lo) & ((1 << 53) - 1)) as f64 / TWO_POW_53;
        unit * (high - low) + low
    }
}

/// The older NumPy stream (`RandomState`).
///
/// ```
/// let mut stream = ebmbook::seed::legacy::NumpyStream::new(524);
/// assert_eq!(stream.normal(), -1.4322438333113525);
/// ```
#[derive(Clone)]
pub struct NumpyStream {
    mt: Mt19937,
    /// The polar method makes normals in pairs; the second waits here for the next call.
    kept: Option<f64>,
}

impl NumpyStream {
    /// The stream for an integer seed.
    pub fn new(seed: u32) -> Self {
        Self { mt: Mt19937::new(seed), kept: None }
    }

    /// The next 32 bits, unprocessed.
    pub fn next_u32(&mut self) -> u32 {
        self.mt.next_u32()
    }

    /// One draw from U[0, 1).
    pub fn double(&mut self) -> f64 {
        let (a, b) = (self.mt.next_u32() >> 5, self.mt.next_u32() >> 6);
        // (a·2²⁶ + b) / 2⁵³
        (f64::from(a) * 67_108_864.0 + f64::from(b)) / TWO_POW_53
    }

    /// One draw from N(0, 1) by the polar method.
    pub fn normal(&mut self) -> f64 {
        if let Some(kept) = self.kept.take() {
            return kept;
        }
        loop {
            let (x1, x2) = (2.0 * self.double() - 1.0, 2.0 * self.double() - 1.0);
            let r2 = x1 * x1 + x2 * x2;
            if r2 > 0.0 && r2 < 1.0 {
                // f = √(−2 ln r² / r²); the *second* coordinate is returned first.
                let f = (-2.0 * r2.ln() / r2).sqrt();
                self.kept = Some(f * x1);
                return f * x2;
            }
        }
    }

    /// One Bernoulli(p) draw, made as the legacy binomial with one trial makes it: invert the
    /// distribution function at min(p, 1−p), then flip if p > ½.
    pub fn bernoulli(&mut self, p: f64) -> bool {
        if p <= 0.5 { self.rare_event(p) } else { !self.rare_event(1.0 - p) }
    }

    /// Inversion for one trial: count 0 has probability 1−p, count 1 has p, and a uniform beyond
    /// their sum (rounding only) is drawn again.
    fn rare_event(&mut self, p: f64) -> bool {
        // The library computes (1−p)¹ as exp(1·ln(1−p)); the rounding is part of the stream.
        let stay = (1.0 - p).ln().exp();
        let mut u = self.double();
        let (mut count, mut mass) = (0_u32, stay);
        // Where the search gives up: mean + 10 standard deviations, at most one trial.
        let bound = f64::min(1.0, p + 10.0 * (p * (1.0 - p) + 1.0).sqrt()) as u32;
        while u > mass {
            count += 1;
            if count > bound {
                (count, mass) = (0, stay);
                u = self.double();
            } else {
                u -= mass;
                mass = (p * mass) / (1.0 - p);
            }
        }
        count == 1
    }

    /// A draw from 0..=max by masking and rejection.
    pub fn bounded(&mut self, max: u32) -> u32 {
        let mask = u32::MAX.checked_shr(max.leading_zeros()).unwrap_or(0);
        loop {
            let value = self.mt.next_u32() & mask;
            if value <= max {
                return value;
            }
        }
    }

    /// Shuffles in place, last position first.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let j = self.bounded(i as u32) as usize;
            items.swap(i, j);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bernoulli_frequencies_match_their_probability() {
        let mut stream = NumpyStream::new(1);
        for p in [0.001, 0.2, 0.5, 0.7, 0.999] {
            let n = 40_000;
            let share = (0..n).filter(|_| stream.bernoulli(p)).count() as f64 / f64::from(n);
            // Five standard errors: one false alarm in 1.7 million, and the seed is pinned.
            assert!((share - p).abs() < 5.0 * (p * (1.0 - p) / f64::from(n)).sqrt(), "p = {p}: {share}");
        }
    }

    #[test]
    fn shuffle_gives_a_permutation_and_bounded_reaches_both_ends() {
        let mut stream = NumpyStream::new(3);
        let mut items: Vec<u32> = (0..100).collect();
        stream.shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
        let draws: Vec<u32> = (0..200).map(|_| stream.bounded(5)).collect();
        assert_eq!((draws.iter().min(), draws.iter().max()), (Some(&0), Some(&5)));
        assert_eq!(stream.bounded(0), 0);
    }
}
