//! Backpropagation: computes gradients of nets.
//!
//! A gradient says for each number of a net how an objective changes with it. It is stored as a net of the same shape
//! and added up over many decisions; `adam` turns it into a step. The intermediate results of a net ([`Activations`],
//! [`BidTrace`], [`OfferTrace`]) are from `sultan_bots::search::net`.

use sultan_bots::search::net::{
    Activations, BidTrace, FIRST_HINT, Features, Net, NetSet, OUT, OfferTrace, Sums, WIDE, add,
};
use sultan_bots::search::{ByBid, Knowledge};

/// Adds the gradient of all layers after the first to `gradient`, given the gradient of the outputs. Returns the
/// gradient of the first layer's sums.
pub(super) fn backpropagate(
    net: &Net,
    activations: &Activations,
    output_gradient: &[f32; OUT],
    gradient: &mut Net,
) -> Sums {
    // The numbers of a net in order: first layer, second weights, second biases, last weights, last biases.
    let [_, _, second_weights, second_biases, last_weights, last_biases] = net.shape.parts();
    let (before, last_biases_gradient) = gradient.numbers.split_at_mut(last_biases.start);
    let (before, last_weights_gradient) = before.split_at_mut(last_weights.start);
    let (before, second_biases_gradient) = before.split_at_mut(second_biases.start);
    let second_weights_gradient = &mut before[second_weights.clone()];

    add(last_biases_gradient.first_chunk_mut().expect("as long as its shape"), output_gradient);
    let rows = last_weights_gradient.as_chunks_mut().0;
    let narrow_gradient = layer_gradient(&net.numbers[last_weights], &activations.narrow, output_gradient, rows);
    add(second_biases_gradient.first_chunk_mut().expect("as long as its shape"), &narrow_gradient);
    let rows = second_weights_gradient.as_chunks_mut().0;
    layer_gradient(&net.numbers[second_weights], &activations.wide, &narrow_gradient, rows)
}

/// Adds the gradient of a layer's weights, one row per input, to `gradient`, given the gradient of the layer's outputs.
/// Returns the gradient of its inputs. It is 0 for inputs of 0: they come from units that are not active.
fn layer_gradient<const IN: usize, const N: usize>(
    weights: &[f32],
    inputs: &[f32; IN],
    output_gradient: &[f32; N],
    gradient: &mut [[f32; N]],
) -> [f32; IN] {
    let mut input_gradient = [0.0; IN];
    let rows = weights.as_chunks::<N>().0.iter().zip(gradient);
    for ((&input, slope), (weights, gradient)) in inputs.iter().zip(&mut input_gradient).zip(rows) {
        if input > 0.0 {
            *slope = dot(weights, output_gradient);
            gradient.iter_mut().zip(output_gradient).for_each(|(sum, slope)| *sum += input * slope);
        }
    }
    input_gradient
}

/// Adds the gradient of the first layer's biases to `gradient`, given the gradient of the layer's sums.
pub(super) fn learn_bias(gradient: &mut Net, sums_gradient: &Sums) {
    add(
        gradient.numbers[gradient.shape.features * WIDE..].first_chunk_mut().expect("as long as its shape"),
        sums_gradient,
    );
}

/// Adds the gradient of the first layer's weights of these features to `gradient`, given the gradient of the layer's
/// sums.
pub(super) fn learn_features(gradient: &mut Net, sums_gradient: &Sums, features: &[u16]) {
    let rows = gradient.numbers[..gradient.shape.features * WIDE].as_chunks_mut::<WIDE>().0;
    for &feature in features {
        add(&mut rows[usize::from(feature)], sums_gradient);
    }
}

/// Adds the gradient of the bid net to `gradient`, given the gradient of each bid's logit.
pub(super) fn learn_bids(
    net_set: &NetSet,
    knowledge: &Knowledge,
    trace: &BidTrace,
    logit_gradient: &ByBid,
    gradient: &mut Net,
) {
    let mut shared_sums = [0.0; WIDE];
    for cushion in trace.mix.open.iter() {
        let index = cushion.index();
        let mut output_gradient = [0.0; OUT];
        for card in knowledge.hand.values().map(|card| usize::from(card.value())) {
            let slope = logit_gradient[index][card];
            output_gradient[card] += slope;
            for (output, hint) in output_gradient[FIRST_HINT..].iter_mut().zip(trace.hints[index][card]) {
                *output += slope * hint;
            }
        }
        let sums = backpropagate(&net_set.bid, &trace.activations[index], &output_gradient, gradient);
        learn_features(gradient, &sums, trace.cushions[index].as_slice());
        add(&mut shared_sums, &sums);
    }
    let table = Features::of_table(&knowledge.public, knowledge.seat, knowledge.round_hand());
    learn_bias(gradient, &shared_sums);
    learn_features(gradient, &shared_sums, trace.turn.as_slice());
    learn_features(gradient, &shared_sums, table.as_slice());
}

/// Adds the gradient of the offer net to `gradient`, given the gradient of each offer's logit.
pub(super) fn learn_offers(net_set: &NetSet, trace: &OfferTrace, logit_gradient: &[f32], gradient: &mut Net) {
    let mut shared_sums = [0.0; WIDE];
    for (index, &slope) in logit_gradient.iter().enumerate() {
        let mut output_gradient = [0.0; OUT];
        output_gradient[0] = slope;
        let sums = backpropagate(&net_set.offer, &trace.activations[index], &output_gradient, gradient);
        learn_features(gradient, &sums, trace.options[index].as_slice());
        add(&mut shared_sums, &sums);
    }
    learn_bias(gradient, &shared_sums);
    learn_features(gradient, &shared_sums, trace.state.as_slice());
}

/// The scalar product of two vectors.
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
