//! The Mersenne Twister with 32-bit output (Matsumoto & Nishimura 1998), seeded by an integer.
//!
//! The authors' data came out of two libraries that both build on this generator, so it is here
//! to regenerate that data. New randomness comes from [`Seed`](super::Seed).

const STATE: usize = 624;
const SHIFT: usize = 397;

/// A Mersenne Twister; see the module text for what it is for.
///
/// ```
/// let mut mt = ebmbook::seed::Mt19937::new(5489);
/// assert_eq!(mt.next_u32(), 3_499_211_612);
/// ```
#[derive(Clone)]
pub struct Mt19937 {
    state: [u32; STATE],
    position: usize,
}

impl Mt19937 {
    /// The classic integer seeding, `init_genrand`.
    pub fn new(seed: u32) -> Self {
        let mut state = [seed; STATE];
        for i in 1..STATE {
            // s_i = 1812433253 · (s_{i−1} ⊕ (s_{i−1} ≫ 30)) + i
            let previous = state[i - 1];
            state[i] = (previous ^ (previous >> 30)).wrapping_mul(1_812_433_253).wrapping_add(i as u32);
        }
        Self { state, position: STATE }
    }

    /// The next 32 bits.
    pub fn next_u32(&mut self) -> u32 {
        if self.position == STATE {
            self.twist();
        }
        let mut y = self.state[self.position];
        self.position += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }

    fn twist(&mut self) {
        for i in 0..STATE {
            let joined = (self.state[i] & 0x8000_0000) | (self.state[(i + 1) % STATE] & 0x7fff_ffff);
            let odd = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[i] = self.state[(i + SHIFT) % STATE] ^ (joined >> 1) ^ odd;
        }
        self.position = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_thousandth_output_of_the_default_seed_is_the_published_one() {
        // The value the C++ standard requires of std::mt19937 (section [rand.predef]).
        let mut mt = Mt19937::new(5489);
        let last = (0..10_000).map(|_| mt.next_u32()).last();
        assert_eq!(last, Some(4_123_659_995));
    }
}
