/** The names under which the translations of a project's texts are stored. Ids contain no "/". */
export const textKeys = {
  projectName: 'project/name',
  projectDescription: 'project/description',
  payTerms: 'project/pay-terms',
  stageName: (stageId: string) => `stage/${stageId}/name`,
  schemaDescription: 'schema/description',
  className: (id: string) => `schema/class/${id}/name`,
  classDefinition: (id: string) => `schema/class/${id}/definition`,
  groupName: (id: string) => `schema/group/${id}/name`,
  attributeName: (id: string) => `schema/attribute/${id}/name`,
  attributeDefinition: (id: string) => `schema/attribute/${id}/definition`,
  partName: (id: string) => `schema/part/${id}/name`,
  partDefinition: (id: string) => `schema/part/${id}/definition`,
  /** `target` is empty for the stage itself. */
  guideShort: (stageId: string, target: string) => `guide/${stageId}/${target}/short`,
  guideFull: (stageId: string, target: string) => `guide/${stageId}/${target}/full`,
  exampleCaption: (stageId: string, target: string, example: string) =>
    `guide/${stageId}/${target}/example/${example}/caption`,
  exampleNote: (stageId: string, target: string, example: string) =>
    `guide/${stageId}/${target}/example/${example}/note`,
  /** Of parts that nobody defined. */
  everyPiece: 'guide/every-piece',
  consent: (field: string) => `consent/${field}`,
};

/**
 * Names the examples of a guide by their picture, so that their order can change. The second example with the same
 * picture is "<picture>~2".
 */
export function nameExamples(pictures: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return pictures.map((picture) => {
    const count = (counts.get(picture) ?? 0) + 1;
    counts.set(picture, count);
    return count === 1 ? picture : `${picture}~${count}`;
  });
}

/** The longest key: a stage, a target of 80 characters, a picture and its field. */
export const MAX_KEY_LENGTH = 260;
