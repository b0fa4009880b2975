//! A run that stops, is saved, and goes on to the same bits; and a model that is saved and read.

use ebmbook::ebm::Trainer;
use ebmbook::prelude::*;

pub(crate) fn main() -> Result<()> {
    let data = synthetic::Released::new(50, 500)?.generate().train;
    let (params, seed) = (Ebm::params(3).epochs(20), Seed::new(1));
    let folder = tempfile::tempdir().expect("a place for two files");
    let (run, model) = (folder.path().join("run.safetensors"), folder.path().join("model.safetensors"));

    let mut trainer = Trainer::new(&params, data.covariates(), seed)?;
    while let Some(record) = trainer.epoch()? {
        if record.epoch == 8 {
            trainer.save(&run)?;
            break;
        }
    }
    let mut resumed = Trainer::resume(&run, data.covariates(), seed)?;
    println!("resumed after epoch {}", resumed.history().epochs.len());
    while resumed.epoch()?.is_some() {}
    let ebm = resumed.finish()?;

    let whole = Ebm::fit(&params, data.covariates(), seed)?;
    println!("equal to a run without a stop, to the bit: {}", ebm.theta() == whole.theta());

    ebm.save(&model)?;
    let read = Ebm::load(&model)?;
    println!("equal after saving and reading: {}", read.embed(data.x())? == ebm.embed(data.x())?);

    // A run continues only on the rows and with the seed it was started with.
    let error = Trainer::resume(&run, data.covariates(), Seed::new(2)).err().expect("another seed");
    println!("with another seed: {}…", error.to_string().chars().take(60).collect::<String>());
    Ok(())
}
