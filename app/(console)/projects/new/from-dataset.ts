/** The choice of a schema that a dataset brings along. */
export const FROM_DATASET = 'from-dataset';
