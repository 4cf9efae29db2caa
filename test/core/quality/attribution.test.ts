import { describe, expect, it } from 'vitest';
import type { AnswerValue } from '@/lib/core/quality/answer';
import {
  causesOfAttribute,
  causesOfMask,
  errorsOfForm,
  type LabelNode,
} from '@/lib/core/quality/attribution';

const form = (...marked: string[]): AnswerValue => ({ kind: 'attributes', choices: { parts: marked } });
const drawn: AnswerValue = {
  kind: 'mask',
  shapes: [{ kind: 'polygon', op: 'add', outer: [0, 0, 4, 0, 4, 4], holes: [] }],
};
const nothing: AnswerValue = { kind: 'nothing' };

const answers: Record<string, AnswerValue> = {
  ann: form('tail', 'wings'),
  bob: form('tail'),
  cem: form('ears'),
  dee: drawn,
  eli: drawn,
  fay: nothing,
};
const filled: LabelNode = {
  id: 'filled',
  value: form('tail', 'wings'),
  provenance: { method: 'single-answer', answers: ['ann'] },
};
const corrected: LabelNode = {
  id: 'corrected',
  value: form('wings'),
  provenance: {
    method: 'nothing-to-label',
    labels: ['filled'],
    answers: ['ann'],
    removed: ['tail'],
    removedBy: ['fay'],
  },
};
const labels: Record<string, LabelNode> = { filled, corrected };
const sources = { label: (id: string) => labels[id], answer: (id: string) => answers[id] };
const parts = new Set(['tail', 'wings', 'ears']);

describe('attribution of wrong labels', () => {
  it('charges an attribute that a removal left in the form to whoever filled in the form, not to the corrector', () => {
    expect(errorsOfForm(corrected, { attributes: new Set(), parts }, sources)).toEqual([
      { kind: 'extra', target: 'wings', answers: ['ann'] },
    ]);
  });

  it('charges a wrong removal to whoever found nothing to draw, as a missing attribute and a missing part', () => {
    expect(errorsOfForm(corrected, { attributes: new Set(['tail', 'wings']), parts }, sources)).toEqual([
      { kind: 'missing', target: 'tail', answers: ['fay'] },
      { kind: 'missing-part', target: 'tail', answers: ['fay'] },
    ]);
  });

  it('follows two removals in a row to the first form', () => {
    const twice: LabelNode = {
      id: 'twice',
      value: form(),
      provenance: {
        method: 'nothing-to-label',
        labels: ['corrected'],
        answers: ['ann'],
        removed: ['wings'],
        removedBy: ['cem'],
      },
    };
    expect(causesOfAttribute(twice, 'wings', sources)).toEqual(['cem']);
    expect(causesOfAttribute(twice, 'tail', sources)).toEqual(['fay']);
    expect(causesOfAttribute(twice, 'ears', sources)).toEqual(['ann']);
  });

  it('charges a consensus to the answers that say the same as the label', () => {
    const consensus: LabelNode = {
      id: 'consensus',
      value: form('tail'),
      provenance: { method: 'posterior', answers: ['ann', 'bob', 'cem'] },
    };
    expect(causesOfAttribute(consensus, 'tail', sources)).toEqual(['ann', 'bob']);
    expect(causesOfAttribute(consensus, 'ears', sources)).toEqual(['ann', 'bob']);
    expect(causesOfAttribute(consensus, 'wings', sources)).toEqual(['bob', 'cem']);
  });

  it('charges all answers where the rules of the form overrule everybody', () => {
    const overruled: LabelNode = {
      id: 'overruled',
      value: form('mane'),
      provenance: { method: 'posterior', answers: ['ann', 'bob'] },
    };
    expect(causesOfAttribute(overruled, 'mane', sources)).toEqual(['ann', 'bob']);
  });

  it('charges a mask to the drawings that agree with it, and "nothing" to those who said so', () => {
    const outline: LabelNode = {
      id: 'outline',
      value: drawn,
      provenance: { method: 'posterior', answers: ['dee', 'eli', 'fay'], agreed: ['eli'] },
    };
    const denied: LabelNode = {
      id: 'denied',
      value: nothing,
      provenance: { method: 'posterior', answers: ['dee', 'fay'] },
    };
    expect(causesOfMask(outline, sources)).toEqual(['eli']);
    expect(causesOfMask(denied, sources)).toEqual(['fay']);
  });

  it('charges nobody for the label of a curator', () => {
    const curated: LabelNode = { ...filled, provenance: { method: 'curator', answers: ['ann'] } };
    expect(causesOfAttribute(curated, 'wings', sources)).toEqual([]);
    expect(causesOfMask(curated, sources)).toEqual([]);
  });

  it('reads labels from before the removing answers were stored separately', () => {
    const old: LabelNode = {
      ...corrected,
      provenance: { method: 'nothing-to-label', labels: ['filled'], answers: ['fay'], removed: ['tail'] },
    };
    expect(causesOfAttribute(old, 'tail', sources)).toEqual(['fay']);
    expect(causesOfAttribute(old, 'wings', sources)).toEqual(['ann']);
  });
});
