export const ANNOTATIONS_PATH = 'annotations.xml';
/** As CVAT lays out a project with subsets. */
export const imagePath = (split: string, name: string): string => `images/${split}/${name}`;
/** The label of the tag that carries what has no other place. */
export const FACTS_LABEL = 'tessera';
