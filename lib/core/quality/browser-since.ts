/** With fewer answers it is unknown how people usually answer in a stage. */
const MIN_ANSWERS = 40;
/** Below this share of measured answers, answering by program is usual in the stage. */
const MIN_SHARE = 0.5;

/**
 * Since when the answers of a stage have usually come from the annotator: from the first measured answer on, at least
 * half of 40 or more are measured. Answers from before an upgrade, or in stages worked on through the API, give null.
 */
export function browserSince(answers: readonly { at: Date; isMeasured: boolean }[]): Date | null {
  const measured = answers.filter(({ isMeasured }) => isMeasured);
  const first = measured.reduce<Date | null>((least, { at }) => (!least || at < least ? at : least), null);
  if (!first) return null;
  const since = answers.filter(({ at }) => at >= first);
  return since.length >= MIN_ANSWERS && measured.length >= MIN_SHARE * since.length ? first : null;
}
