//! Whom a seat may be taken for.

/// How a seat bids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Character {
    /// As the nets do, which stands for all who think for themselves.
    #[default]
    Nets,
    /// As the jeweller does.
    Jeweller,
    /// As the merchant does.
    Merchant,
    /// As the page does.
    Page,
    /// At random.
    Random,
}

impl Character {
    pub(crate) const ALL: [Self; 5] = [Self::Nets, Self::Jeweller, Self::Merchant, Self::Page, Self::Random];
}
