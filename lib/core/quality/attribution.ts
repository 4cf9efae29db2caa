import type { AnswerValue } from './answer';
import { positivesOf } from './score-check';

/** What the provenance of a label says about its origin. */
export type Provenance = {
  method?: string;
  /** Answers that the label was made from. */
  answers?: readonly string[];
  /** Of several answers, those that agree with the label. */
  agreed?: readonly string[];
  /** Labels that this one replaced and took over. */
  labels?: readonly string[];
  /** Attributes that were removed because there was nothing to draw, and the answers that said so. */
  removed?: readonly string[];
  removedBy?: readonly string[];
};

export type LabelNode = { id: string; value: AnswerValue; provenance: Provenance };

/** Looks up labels and answers by id. */
export type Sources = {
  label: (id: string) => LabelNode | undefined;
  answer: (id: string) => AnswerValue | undefined;
};

/** The method of labels that lost a false positive; see `removeFalsePositive`. */
export const NOTHING_TO_LABEL = 'nothing-to-label';
/** Labels by a curator rest on no answer, whatever they replaced. */
const CURATOR = 'curator';

/**
 * Answers that caused a form label to claim an attribute, or not to claim it. Follows corrections: an attribute that was
 * removed was removed by the answers that found nothing to draw; everything else in the corrected form still comes from
 * the form before it. Of several answers, those count that say the same as the label. Empty for a curator's label.
 */
export function causesOfAttribute(label: LabelNode, attribute: string, sources: Sources): readonly string[] {
  const { method, answers = [], labels = [], removed = [], removedBy } = label.provenance;
  if (method === CURATOR) return [];
  if (method === NOTHING_TO_LABEL) {
    // Labels from before `removedBy` was stored name the correcting answers only.
    if (removed.includes(attribute)) return removedBy ?? answers;
    return labels.flatMap((id) => {
      const before = sources.label(id);
      return before ? causesOfAttribute(before, attribute, sources) : [];
    });
  }
  const isClaimed = positivesOf(label.value).includes(attribute);
  const same = answers.filter((id) => {
    const value = sources.answer(id);
    return value?.kind === 'attributes' && positivesOf(value).includes(attribute) === isClaimed;
  });
  // The rules of the form can overrule everybody: then all answers together are the cause.
  return same.length > 0 ? same : answers;
}

/** Answers that caused a mask label to be as it is: those that agree with it. Empty for a curator's label. */
export function causesOfMask({ value, provenance }: LabelNode, { answer }: Sources): readonly string[] {
  const { method, answers = [], agreed } = provenance;
  if (method === CURATOR) return [];
  if (agreed && agreed.length > 0) return agreed;
  const same = answers.filter((id) => answer(id)?.kind === value.kind);
  return same.length > 0 ? same : answers;
}

export type LabelError = {
  /** `extra` and `missing` attributes, a wrong `outline`, and a part that has no mask because no form asks for it. */
  kind: 'extra' | 'missing' | 'outline' | 'missing-part';
  target: string;
  /** The answers that caused it. */
  answers: readonly string[];
};

export type FormTruth = {
  attributes: ReadonlySet<string>;
  /** Attributes that are drawn as parts: each that the form misses is a part without a mask. */
  parts: ReadonlySet<string>;
};

/** The errors of a form label with their causes. */
export function errorsOfForm(label: LabelNode, truth: FormTruth, sources: Sources): LabelError[] {
  const claimed = new Set(positivesOf(label.value));
  const causes = (target: string) => causesOfAttribute(label, target, sources);
  const extra = [...claimed].filter((id) => !truth.attributes.has(id));
  const missing = [...truth.attributes].filter((id) => !claimed.has(id));
  return [
    ...extra.map((target): LabelError => ({ kind: 'extra', target, answers: causes(target) })),
    ...missing.map((target): LabelError => ({ kind: 'missing', target, answers: causes(target) })),
    ...missing
      .filter((target) => truth.parts.has(target))
      .map((target): LabelError => ({ kind: 'missing-part', target, answers: causes(target) })),
  ];
}
