/**
 * Messages of the editor, as keys of the namespace `canvas` in the catalogues. The pages translate them; this module
 * knows no language.
 */
export const editorMessageKeys = [
  'cancelled',
  'takenBack',
  'undone',
  'redone',
  'nothingToUndo',
  'nothingToRedo',
  'readOnly',
  'locked',
  'label',
  'instance',
  'oneInstance',
  'notNumbered',
  'tooManyInstances',
  'instanceDeleted',
  'instanceSeparated',
  'flagSet',
  'flagTaken',
  'flagNotAsked',
  'nothingToFlag',
  'relabelled',
  'brushRadius',
  'snappingOn',
  'snappingOff',
  'cursor',
  'nothingToLabel',
  'somethingToLabel',
  'nothingSelected',
  'noShapes',
  'shapeOf',
  'shapesDeleted',
  'shapesMoved',
  'outside',
  'tooManyPoints',
  'tooManyShapes',
  'shapeRefused',
  'outlineResumed',
  'outlineTakenBack',
  'point',
  'points',
  'drawn',
  'drawnAndCleaned',
  'crossesItself',
  'needsThreePoints',
  'painted',
  'erased',
  'nothingToErase',
  'tooSmall',
  'noHole',
  'holeFilled',
  'pointInserted',
  'pointsMoved',
  'pointsDeleted',
  'wouldCross',
  'keepsThreePoints',
  'sliceAcross',
  'sliced',
  'noShapeHere',
  'pickOther',
  'joinTwo',
  'joinOneLabel',
  'joinOneInstance',
  'joinTouching',
  'joined',
  'looking',
  'fetchingOutline',
  'suggestionShown',
  'suggestionToCorrect',
  'suggestionAccepted',
  'scribbleMore',
  'clickElsewhere',
  'boxEmpty',
  'noMoreClicks',
  'clickObjectFirst',
  'regionLeaks',
  'smartFailed',
  'smartBusy',
  'smartUnavailable',
  'noModelOutline',
  'noServer',
] as const;

export type EditorMessageKey =
  | `messages.${(typeof editorMessageKeys)[number]}`
  | `shortcuts.${string}`
  | `tools.${string}.name`
  | `flags.${string}`;

/** A message with what is filled in: text, numbers, or other messages. */
export interface EditorMessage {
  readonly key: EditorMessageKey;
  readonly values?: Readonly<Record<string, string | number | EditorMessage>>;
}

export function editorMessage(
  key: (typeof editorMessageKeys)[number],
  values?: EditorMessage['values'],
): EditorMessage {
  return { key: `messages.${key}`, ...(values && { values }) };
}

export const toolName = (id: string): EditorMessage => ({ key: `tools.${id}.name` });

/** Gives the text of a key of the catalogues. */
export type Translate = (key: string, values?: Record<string, string | number>) => string;

/** A message as a sentence. Messages that are filled into others are translated first. */
export function editorText(translate: Translate, { key, values = {} }: EditorMessage): string {
  const filled = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'object' ? editorText(translate, value) : value,
  ]);
  return translate(key, Object.fromEntries(filled));
}
