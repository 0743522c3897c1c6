/** Number of sequence numbers in a window, a group of neighboring messages. A chunk never spans two windows. */
export const WINDOW_MESSAGES = 5;

/** A window of messages starts this number of sequence numbers after the one before it, so windows overlap. */
export const WINDOW_STRIDE = 3;
