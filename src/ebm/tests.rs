//! The gradient of every objective through the whole network, and the fused engine against the
//! one made of dfdx's own operations.

use super::candidates::{Batch, Sampler};
use super::{DirectionLaw, EbmParams, Folds, Objective};
use crate::data::{Column, ColumnKind, Covariates};
use crate::network::{Activation, Adam, Device, Engine, LANES, Lanes, Mlp, Real, WeightDecay, trainable};
use crate::seed::Seed;
use ndarray::Array2;
use rand::Rng;
use rstest::rstest;

/// Forty rows: two continuous columns and one with three categories.
fn rows() -> Covariates {
    let mut rng = Seed::new(5).rng();
    let x = Array2::from_shape_fn((40, 3), |(_, s)| {
        if s == 2 { f64::from(rng.random_range(0..3)) } else { rng.random_range(-1.5..1.5) }
    });
    let kind = |s: usize| if s == 2 { ColumnKind::categorical(x.column(2)) } else { ColumnKind::Continuous };
    let columns = (0..3).map(|s| Column { name: format!("x{s}"), kind: kind(s) }).collect();
    Covariates::new(x, columns).unwrap()
}

fn params(objective: Objective, folds: Folds) -> EbmParams {
    EbmParams::new(3)
        .hidden(&[7, 5])
        .copies(3)
        .objective(objective)
        .folds(folds)
        .activation(Activation::Silu)
        .directions(DirectionLaw::Authors)
}

fn batch<T: Real>(params: &EbmParams) -> Batch<T> {
    let data = rows();
    let mut batch = Batch::default();
    let mut sampler = Sampler::for_rows(params, &data, Seed::new(2)).unwrap();
    sampler.draw(&(0..40).collect::<Vec<_>>(), Seed::new(3), &mut batch);
    batch
}

#[rstest]
#[case(Objective::Ranking, Folds::Random)]
#[case(Objective::RankingExact, Folds::Random)]
#[case(Objective::Pairwise, Folds::Random)]
#[case(Objective::Pairwise, Folds::All)]
#[case(Objective::EnergyOnly, Folds::KMeans)]
#[case(Objective::ReleasedProgram, Folds::KMeans)]
fn gradients_are_those_of_central_differences(#[case] objective: Objective, #[case] folds: Folds) {
    let params = params(objective, folds);
    let (batch, b) = (batch::<f64>(&params), params.make_directions().unwrap());
    let shape = params.architecture(3).unwrap();
    // Larger weights than the initial ones, so that the energies differ and the gradient is not small.
    let theta: Vec<f64> = shape.initialise(Seed::new(4)).iter().map(|p| 1.5 * p).collect();
    let mut net = Mlp::new(shape, theta.clone());
    let block = &batch.blocks()[0];
    assert_eq!(batch.blocks().len(), 1);
    let f = net.forward(block).to_vec();
    let mut by_f = vec![[0.0; LANES]; f.len()];
    batch.loss(objective, &b, 0, &f, &mut by_f);
    net.backward(block, &by_f);
    let gradient = net.gradient().to_vec();

    let mut loss_at = |theta: &[f64]| {
        net.theta_mut().copy_from_slice(theta);
        let f = net.forward(block);
        batch.loss(objective, &b, 0, f, &mut vec![[0.0; LANES]; f.len()])
    };
    // Central differences err by h²·(third derivative)/6 + ε/h: about 1e-10 at h = 1e-5.
    let h = 1e-5;
    let (mut error, mut norm) = (0.0, 0.0);
    for p in 0..theta.len() {
        let mut moved = theta.clone();
        moved[p] += h;
        let above = loss_at(&moved);
        moved[p] -= 2.0 * h;
        let difference = (above - loss_at(&moved)) / (2.0 * h);
        error += (difference - gradient[p]).powi(2);
        norm += gradient[p].powi(2);
    }
    assert!(norm.sqrt() > 1e-3, "there is a gradient to check: {norm}");
    assert!(error.sqrt() < 1e-6 * norm.sqrt(), "{objective:?}: {} of {}", error.sqrt(), norm.sqrt());
}

/// A run of some steps on the same candidates.
struct Trained {
    theta: Vec<f64>,
    losses: Vec<f64>,
    /// The running mean of the gradient.
    mean_gradient: Vec<f64>,
}

fn trained<T: Real>(params: &EbmParams, engine: Engine, adam: Adam, steps: usize) -> Trained {
    let (batch, b) = (batch::<T>(params), params.make_directions().unwrap());
    let shape = params.architecture(3).unwrap();
    let theta = shape.initialise(Seed::new(4));
    let mut net = trainable::<T>(shape, &theta, adam, engine, Device::Cpu).unwrap();
    let mut loss = |i: usize, f: &[Lanes<T>], g: &mut [Lanes<T>]| batch.loss(params.objective, &b, i, f, g);
    let losses = (0..steps).map(|_| net.step(batch.blocks(), &mut loss, 0.01).unwrap()).collect();
    let wide = |numbers: Vec<T>| numbers.into_iter().map(T::wide).collect();
    let state = net.state();
    Trained { theta: wide(state.theta), losses, mean_gradient: wide(state.m) }
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// The largest difference between the parameters of two runs, without those whose gradient is nothing but rounding.
/// A shift of f changes no density, so the last biases are such parameters, and the biases of units that are on at
/// every row; Adam makes whole steps of what rounding leaves there.
fn off(a: &Trained, b: &Trained, rounding: f64) -> f64 {
    let moves = |i: &usize| a.mean_gradient[*i].abs() > rounding || b.mean_gradient[*i].abs() > rounding;
    let moving: Vec<usize> = (0..a.theta.len()).filter(moves).collect();
    assert!(moving.len() > 70, "most parameters move: {}", moving.len());
    moving.iter().map(|i| (a.theta[*i] - b.theta[*i]).abs()).fold(0.0, f64::max)
}

#[rstest]
#[case(Activation::Relu, None)]
#[case(Activation::Silu, None)]
#[case(Activation::Silu, Some(WeightDecay::L2(0.01)))]
#[case(Activation::Relu, Some(WeightDecay::Decoupled(0.1)))]
fn the_fused_engine_is_the_plain_one_to_rounding(
    #[case] activation: Activation,
    #[case] decay: Option<WeightDecay>,
) {
    let params = params(Objective::Pairwise, Folds::Random).activation(activation);
    let adam = Adam { decay, ..Adam::default() };
    let fused = trained::<f64>(&params, Engine::Fused, adam, 30);
    let plain = trained::<f64>(&params, Engine::Tape, adam, 30);
    // Thirty steps of length .01 each; m̂/√v̂ amplifies rounding (1e-16) where gradients are small.
    assert!(off(&fused, &plain, 1e-12) < 1e-10);
    assert!(largest_difference(&fused.losses, &plain.losses) < 1e-12);
    assert!(fused.losses[29] < fused.losses[0] - 0.01, "it learns: {:?}", fused.losses);
    // Single precision, one step: m̂/√v̂ = ±1 there, so θ agrees to its own rounding (2⁻²⁴ of
    // numbers below 1).
    let fused = trained::<f32>(&params, Engine::Fused, adam, 1);
    let plain = trained::<f32>(&params, Engine::Tape, adam, 1);
    assert!(largest_difference(&fused.losses, &plain.losses) < 1e-6);
    assert!(off(&fused, &plain, 1e-6) < 1e-4);
}

#[test]
fn a_state_restores_either_engine_to_the_bit() {
    let params = params(Objective::Pairwise, Folds::Random);
    let (batch, b) = (batch::<f32>(&params), params.make_directions().unwrap());
    let shape = params.architecture(3).unwrap();
    let theta = shape.initialise(Seed::new(4));
    for engine in [Engine::Fused, Engine::Tape] {
        let mut net = trainable::<f32>(shape.clone(), &theta, Adam::default(), engine, Device::Cpu).unwrap();
        let mut other =
            trainable::<f32>(shape.clone(), &vec![0.0; theta.len()], Adam::default(), engine, Device::Cpu)
                .unwrap();
        let mut loss =
            |i: usize, f: &[Lanes<f32>], g: &mut [Lanes<f32>]| batch.loss(params.objective, &b, i, f, g);
        for _ in 0..5 {
            net.step(batch.blocks(), &mut loss, 0.01).unwrap();
        }
        other.restore(&net.state()).unwrap();
        for _ in 0..5 {
            net.step(batch.blocks(), &mut loss, 0.01).unwrap();
            other.step(batch.blocks(), &mut loss, 0.01).unwrap();
        }
        assert_eq!(net.state(), other.state(), "{engine:?}");
    }
}

#[test]
fn copies_that_are_other_rows_are_rows_of_the_data() {
    let data = rows();
    let mut sampler =
        Sampler::for_rows(&params(Objective::Pairwise, Folds::Random).other_rows(true), &data, Seed::new(2))
            .unwrap();
    let mut batch = Batch::<f64>::default();
    sampler.draw(&(0..40).collect::<Vec<_>>(), Seed::new(3), &mut batch);
    let value = |s: usize, at: usize| batch.blocks()[0].feature(s).as_flattened()[at];
    let room = 40_usize.next_multiple_of(LANES);
    let mut drawn = std::collections::BTreeSet::new();
    for at in (1..=3).flat_map(|copy| (0..40).map(move |i| copy * room + i)) {
        let row = (0..40).find(|i| (0..3).all(|s| data.x()[[*i, s]] == value(s, at)));
        drawn.insert(row.expect("a copy is a row of the data"));
    }
    // 120 draws of 40 rows miss a row with probability (39/40)¹²⁰ = .048 each.
    assert!(drawn.len() > 30, "{}", drawn.len());
}
