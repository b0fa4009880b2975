//! The minimum of a function of one variable: bracket it, then Brent's parabolas and golden
//! sections. Steps and tolerances are scipy's (`optimize.bracket`, `optimize.brent`), so that
//! the same function stops at the same place.

const GOLDEN: f64 = 1.618034;
const GOLDEN_SECTION: f64 = 0.3819660;
const TINY: f64 = 1e-21;
const GROW_LIMIT: f64 = 110.0;
const BRACKET_STEPS: usize = 1000;
const TOLERANCE: f64 = 1.48e-8;
const MINIMUM_TOLERANCE: f64 = 1e-11;
const STEPS: usize = 500;

/// A minimiser of `f`, searched from the interval (a, b); `None` if no bracket is found.
pub(super) fn minimise(f: impl Fn(f64) -> f64, a: f64, b: f64) -> Option<f64> {
    let [xa, xb, xc] = bracket(&f, a, b)?;
    Some(brent(&f, xa, xb, xc))
}

/// Three points, the middle one the lowest.
fn bracket(f: &impl Fn(f64) -> f64, a: f64, b: f64) -> Option<[f64; 3]> {
    let (mut xa, mut xb) = (a, b);
    let (mut fa, mut fb) = (f(xa), f(xb));
    if fa < fb {
        (xa, xb, fa, fb) = (xb, xa, fb, fa);
    }
    let mut xc = xb + GOLDEN * (xb - xa);
    let mut fc = f(xc);
    let mut steps = 0;
    while fc < fb {
        // The minimum w of the parabola through the three points
        let (t1, t2) = ((xb - xa) * (fb - fc), (xb - xc) * (fb - fa));
        let difference = t2 - t1;
        let denominator = if difference.abs() < TINY { 2.0 * TINY } else { 2.0 * difference };
        let mut w = xb - ((xb - xc) * t2 - (xb - xa) * t1) / denominator;
        let limit = xb + GROW_LIMIT * (xc - xb);
        if steps > BRACKET_STEPS {
            return None;
        }
        steps += 1;
        let mut fw;
        if (w - xc) * (xb - w) > 0.0 {
            fw = f(w);
            if fw < fc {
                (xa, xb, fa, fb) = (xb, w, fb, fw);
                break;
            } else if fw > fb {
                (xc, fc) = (w, fw);
                break;
            }
            w = xc + GOLDEN * (xc - xb);
            fw = f(w);
        } else if (w - limit) * (limit - xc) >= 0.0 {
            w = limit;
            fw = f(w);
        } else if (w - limit) * (xc - w) > 0.0 {
            fw = f(w);
            if fw < fc {
                (xb, xc, fb, fc) = (xc, w, fc, fw);
                w = xc + GOLDEN * (xc - xb);
                fw = f(w);
            }
        } else {
            w = xc + GOLDEN * (xc - xb);
            fw = f(w);
        }
        (xa, xb, xc) = (xb, xc, w);
        (fa, fb, fc) = (fb, fc, fw);
    }
    let lowest = (fb < fc && fb <= fa) || (fb < fa && fb <= fc);
    let ordered = (xa < xb && xb < xc) || (xc < xb && xb < xa);
    let finite = [xa, xb, xc].iter().all(|v| v.is_finite());
    (lowest && ordered && finite).then_some([xa, xb, xc])
}

fn brent(f: &impl Fn(f64) -> f64, xa: f64, xb: f64, xc: f64) -> f64 {
    // x is the best point, w the second best, v the one before that.
    let (mut x, mut w, mut v) = (xb, xb, xb);
    let mut fx = f(x);
    let (mut fw, mut fv) = (fx, fx);
    let (mut a, mut b) = if xa < xc { (xa, xc) } else { (xc, xa) };
    let (mut last_step, mut step) = (0.0_f64, 0.0_f64);
    for _ in 0..STEPS {
        let tolerance = TOLERANCE * x.abs() + MINIMUM_TOLERANCE;
        let middle = 0.5 * (a + b);
        if (x - middle).abs() < 2.0 * tolerance - 0.5 * (b - a) {
            break;
        }
        let golden = |last_step: &mut f64| {
            *last_step = if x >= middle { a - x } else { b - x };
            GOLDEN_SECTION * *last_step
        };
        if last_step.abs() <= tolerance {
            step = golden(&mut last_step);
        } else {
            // The parabola through x, w and v
            let t1 = (x - w) * (fx - fv);
            let mut t2 = (x - v) * (fx - fw);
            let mut p = (x - v) * t2 - (x - w) * t1;
            t2 = 2.0 * (t2 - t1);
            if t2 > 0.0 {
                p = -p;
            }
            t2 = t2.abs();
            let before_last = last_step;
            last_step = step;
            if p > t2 * (a - x) && p < t2 * (b - x) && p.abs() < (0.5 * t2 * before_last).abs() {
                step = p / t2;
                let u = x + step;
                if u - a < 2.0 * tolerance || b - u < 2.0 * tolerance {
                    step = if middle - x >= 0.0 { tolerance } else { -tolerance };
                }
            } else {
                step = golden(&mut last_step);
            }
        }
        let u = if step.abs() < tolerance {
            if step >= 0.0 { x + tolerance } else { x - tolerance }
        } else {
            x + step
        };
        let fu = f(u);
        if fu > fx {
            if u < x {
                a = u;
            } else {
                b = u;
            }
            if fu <= fw || w == x {
                (v, w, fv, fw) = (w, u, fw, fu);
            } else if fu <= fv || v == x || v == w {
                (v, fv) = (u, fu);
            }
        } else {
            if u >= x {
                a = x;
            } else {
                b = x;
            }
            (v, w, x) = (w, x, u);
            (fv, fw, fx) = (fw, fx, fu);
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parabola_far_outside_the_interval_is_found() {
        let found = minimise(|x| (x - 50.0).powi(2) + 3.0, -2.0, 2.0).unwrap();
        // The function is flat to rounding within √ε of its minimum.
        assert!((found - 50.0).abs() < 50.0 * 1e-7, "{found}");
    }

    #[test]
    fn a_function_that_falls_forever_has_no_bracket() {
        assert_eq!(minimise(|x| -x, -2.0, 2.0), None);
    }
}
