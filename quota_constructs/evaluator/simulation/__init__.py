"""The simulated scheduler: one arrangement, one trace, one history. Implements `docs/scheduling-model.md`."""
