//! Backpropagation: the changes of a net's numbers that change its outputs as wanted.
//!
//! A gradient is stored as a net of the same shape and added up over many decisions; `adam` turns it into a step. The
//! intermediate results of a net ([`Activations`], [`BidTrace`], [`OfferTrace`]) are from
//! `sultan_bots::search::net`.

use sultan_bots::search::net::{
    Activations, BidTrace, FIRST_HINT, Features, NARROW, Net, NetSet, OUT, OfferTrace, Sums, WIDE, add,
};
use sultan_bots::search::{ByBid, Knowledge};

/// Adds the gradient of all layers after the first to `change`, given the gradient `wanted` of the outputs. Returns the
/// gradient of the first layer's sums.
pub(super) fn backpropagate(net: &Net, seen: &Activations, wanted: &[f32; OUT], change: &mut Net) -> Sums {
    let [_, _, second, narrow_biases, last, biases] = net.shape.parts();
    let (before, biases) = change.numbers.split_at_mut(biases.start);
    let (before, outs) = before.split_at_mut(last.start);
    let (before, narrow) = before.split_at_mut(narrow_biases.start);
    let mut back = [0.0; NARROW];
    add(biases.first_chunk_mut().expect("as long as its shape"), wanted);
    let weights = net.numbers[last].as_chunks::<OUT>().0.iter().zip(outs.as_chunks_mut().0);
    for ((&a, back), (weights, change)) in seen.narrow.iter().zip(&mut back).zip(weights) {
        if a > 0.0 {
            *back = dot(weights, wanted);
            add_times(change, a, wanted);
        }
    }
    add(narrow.first_chunk_mut().expect("as long as its shape"), &back);
    let mut sums = [0.0; WIDE];
    let weights = net.numbers[second.clone()].as_chunks::<NARROW>().0.iter().zip(before[second].as_chunks_mut().0);
    for ((&a, sum), (weights, change)) in seen.wide.iter().zip(&mut sums).zip(weights) {
        if a > 0.0 {
            *sum = dot(weights, &back);
            add_times(change, a, &back);
        }
    }
    sums
}

/// Adds the gradient of the first layer's biases to `change`.
pub(super) fn learn_bias(change: &mut Net, sums: &Sums) {
    add(change.numbers[change.shape.features * WIDE..].first_chunk_mut().expect("as long as its shape"), sums);
}

/// Adds the gradient of the rows of these features to `change`.
pub(super) fn learn_features(change: &mut Net, sums: &Sums, features: &[u16]) {
    let rows = change.numbers[..change.shape.features * WIDE].as_chunks_mut::<WIDE>().0;
    for &feature in features {
        add(&mut rows[usize::from(feature)], sums);
    }
}

/// Adds the gradient of the bid net to `change`, given the gradient of each bid's logit.
pub(super) fn learn_bids(net_set: &NetSet, knowledge: &Knowledge, trace: &BidTrace, wanted: &ByBid, change: &mut Net) {
    let mut trunk = [0.0; WIDE];
    for cushion in trace.mix.open.iter() {
        let index = cushion.index();
        let mut out = [0.0; OUT];
        for card in knowledge.hand.values() {
            let by = wanted[index][usize::from(card.value())];
            out[usize::from(card.value())] += by;
            for (out, hint) in out[FIRST_HINT..].iter_mut().zip(trace.hints[index][usize::from(card.value())]) {
                *out += by * hint;
            }
        }
        let sums = backpropagate(&net_set.bid, &trace.activations[index], &out, change);
        learn_features(change, &sums, trace.cushions[index].as_slice());
        trunk.iter_mut().zip(sums).for_each(|(sum, by)| *sum += by);
    }
    learn_bias(change, &trunk);
    learn_features(change, &trunk, trace.turn.as_slice());
    learn_features(
        change,
        &trunk,
        Features::of_table(&knowledge.public, knowledge.seat, knowledge.round_hand()).as_slice(),
    );
}

/// Adds the gradient of the offer net to `change`, given the gradient of each offer's logit.
pub(super) fn learn_offers(net_set: &NetSet, trace: &OfferTrace, wanted: [f32; 4], change: &mut Net) {
    let mut trunk = [0.0; WIDE];
    for (index, wanted) in wanted.into_iter().enumerate().take(trace.mix.offers.len()) {
        let mut out = [0.0; OUT];
        out[0] = wanted;
        let sums = backpropagate(&net_set.offer, &trace.activations[index], &out, change);
        learn_features(change, &sums, trace.options[index].as_slice());
        trunk.iter_mut().zip(sums).for_each(|(sum, by)| *sum += by);
    }
    learn_bias(change, &trunk);
    learn_features(change, &trunk, trace.state.as_slice());
}

#[inline]
fn add_times<const N: usize>(sum: &mut [f32; N], factor: f32, other: &[f32; N]) {
    for (a, b) in sum.iter_mut().zip(other) {
        *a += factor * b;
    }
}

#[inline]
fn dot<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f32 {
    // Four sums in parallel, for SIMD.
    let mut sums = [0.0; 4];
    for (a, b) in a.as_chunks::<4>().0.iter().zip(b.as_chunks::<4>().0) {
        for index in 0..4 {
            sums[index] += a[index] * b[index];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

#[cfg(test)]
pub(super) mod tests;
