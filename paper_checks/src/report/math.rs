//! LaTeX to MathML, which browsers draw by themselves: no script and no network at view time.

use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::{Parser, Storage, push_mathml};

/// A formula that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("math `{tex}`: {reason}")]
pub struct MathError {
    tex: String,
    reason: String,
}

/// MathML of a formula, set apart from the text if `display`.
///
/// ```
/// use paper_checks::report::math::mathml;
/// assert!(mathml(r"p_{\theta,j}(x)", false)?.starts_with("<math"));
/// assert!(mathml(r"\frac{1}{", true).is_err());
/// assert!(!mathml(r"a\ b", false)?.contains("nbsp"));
/// # Ok::<(), paper_checks::report::math::MathError>(())
/// ```
pub fn mathml(tex: &str, display: bool) -> Result<String, MathError> {
    let storage = Storage::new();
    let bad = |reason: String| MathError {
        tex: tex.to_owned(),
        reason: reason.lines().next().unwrap_or_default().to_owned(),
    };
    // The renderer draws errors in red; here they are errors.
    if let Some(Err(error)) = Parser::new(tex, &storage).find(Result::is_err) {
        return Err(bad(error.to_string()));
    }
    let mode = if display { DisplayMode::Block } else { DisplayMode::Inline };
    let config = RenderConfig { display_mode: mode, annotation: Some(tex), ..RenderConfig::default() };
    let mut html = String::new();
    push_mathml(&mut html, Parser::new(tex, &storage), config).map_err(|e| bad(e.to_string()))?;
    // The renderer escapes its own entity for `\ `, so that the page would spell it out.
    Ok(html.replace("&amp;nbsp;", "\u{a0}"))
}
