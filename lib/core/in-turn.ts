/** Gives a function that does one work after the other, in the order in which it was given them. */
export function inTurn(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    // Who asked hears of a fault; the next one begins all the same.
    last = mine.catch(() => {});
    return mine;
  };
}
