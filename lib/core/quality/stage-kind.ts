/** The kinds of question; the same words as in the table of stages. */
export type StageKind = 'attributes' | 'object-mask' | 'part-mask' | 'oracle';
