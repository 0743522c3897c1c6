module.exports = function notNeeded() {
  throw new Error("This package is left out: embedding texts on a CPU does not need it.");
};
