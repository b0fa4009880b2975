//! The paper's settings with their printed hyper-parameters.

use crate::printed::{Block, Hyperparameters, Printed};
use crate::study::sweep::Point;
use crate::study::{DataSpec, Source, StudyError};
use ebmbook::data::Protocol;
use ebmbook::ebm::{DirectionLaw, EbmParams, Objective};
use itertools::Itertools;

/// A row of the paper's tables.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Block of the table.
    pub block: Block,
    /// Where rows come from.
    pub source: Source,
    /// Number of covariates.
    pub d: usize,
    /// Number of training rows.
    pub n: usize,
    printed: Hyperparameters,
}

impl Setting {
    /// Every row, in the order of the paper's table of hyper-parameters.
    pub fn all() -> Vec<Self> {
        Printed::load().hyperparameters.into_iter().map(Self::from).collect()
    }

    /// The rows of these blocks.
    pub fn of(blocks: &[Block]) -> Vec<Self> {
        Self::all().into_iter().filter(|s| blocks.contains(&s.block)).collect()
    }

    /// The fifteen rows of Table 1.
    pub fn table1() -> Vec<Self> {
        Self::of(&[Block::SyntheticGrowingD, Block::SyntheticD100, Block::Twins])
    }

    /// The nine distinct synthetic rows.
    pub fn synthetic() -> Vec<Self> {
        let rows = Self::of(&[Block::SyntheticGrowingD, Block::SyntheticD100]);
        rows.into_iter().unique_by(|s| (s.d, s.n)).collect()
    }

    /// The row of that name: its block and its number of training rows.
    ///
    /// ```
    /// use paper_checks::study::plans::Setting;
    /// assert_eq!(Setting::find("twins/1500")?.hyperparameters(), (5, 16, 6, 0.55));
    /// assert!(Setting::find("twins/1501").is_err());
    /// # Ok::<(), paper_checks::study::StudyError>(())
    /// ```
    pub fn find(name: &str) -> Result<Self, StudyError> {
        Self::all().into_iter().find(|setting| setting.name() == name).ok_or_else(|| {
            let all = Self::all();
            let blocks = all.iter().chunk_by(|setting| setting.block);
            let known = blocks
                .into_iter()
                .map(|(block, rows)| format!("{block}/{}", rows.map(|setting| setting.n).join("|")))
                .join(", ");
            StudyError::UnknownSetting { name: name.into(), known }
        })
    }

    /// Its name: `twins/1500`.
    pub fn name(&self) -> String {
        format!("{}/{}", self.block, self.n)
    }

    /// The data of the setting.
    pub fn data(&self, protocol: Protocol) -> DataSpec {
        DataSpec::new(self.source, self.d, self.n, protocol)
    }

    /// k of the representation.
    pub fn k(&self) -> usize {
        self.printed.k
    }

    /// The setting with another k.
    pub fn with_k(&self, k: usize) -> Self {
        Self { printed: Hyperparameters { k, ..self.printed.clone() }, ..self.clone() }
    }

    /// b, k, the number of hidden layers and q, as printed.
    pub fn hyperparameters(&self) -> (usize, usize, usize, f64) {
        let Hyperparameters { b, k, corruption_probability: q, .. } = self.printed;
        (b, k, self.widths().len(), q)
    }

    /// The printed choice as a point of a sweep.
    pub fn printed(&self) -> Point {
        let (b, k, layers, q) = self.hyperparameters();
        Point { b, k, layers, q }
    }

    /// The width of its hidden layers.
    pub fn width(&self) -> usize {
        self.widths()[0]
    }

    fn widths(&self) -> Vec<usize> {
        self.printed.hidden_layers.split('-').map(|w| w.parse().expect("printed widths")).collect()
    }

    /// The EBM with the printed hyper-parameters. Under `released` B is the authors' own; the
    /// objective `released-program` brings the whole of the authors' training with it.
    pub fn ebm(&self, protocol: Protocol, objective: Objective) -> EbmParams {
        let Hyperparameters { k, b, corruption_probability: q, .. } = self.printed;
        let params = match objective {
            Objective::ReleasedProgram => EbmParams::released(k),
            other => EbmParams::new(k).objective(other),
        };
        let params = params.hidden(&self.widths()).copies(b).corruption(q);
        match protocol {
            Protocol::Released => params.directions(DirectionLaw::Authors),
            Protocol::Paper => params,
        }
    }
}

impl From<Hyperparameters> for Setting {
    fn from(printed: Hyperparameters) -> Self {
        let source = match printed.dataset {
            Block::Twins => Source::Twins,
            Block::Ihdp => Source::Ihdp,
            Block::SyntheticGrowingD | Block::SyntheticD100 => Source::Synthetic,
        };
        Self { block: printed.dataset, source, d: printed.d, n: printed.n, printed }
    }
}
