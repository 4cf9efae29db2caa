export {
  BatchDriver,
  type BatchOutside,
  type BatchStorage,
  type SubmitReply,
  type WriteReply,
} from './batch-driver';
export {
  type BatchEffect,
  type BatchEvent,
  type BatchState,
  type BatchStep,
  decodeWork,
  encodeWork,
  type ItemStatus,
  type ItemWork,
  itemStatus,
  type LeaseState,
  newestText,
  openBatch,
  openLeases,
  type ServerItem,
  type Submission,
  stepBatch,
  type Wish,
} from './batch-store';
export {
  type AnnotationDocument,
  type DrawnShape,
  emptyDocument,
  findShape,
  joinDocuments,
  type LabelLayer,
  layerOf,
  type Origin,
  type ShapeId,
} from './document/document';
export type { Edit } from './document/edits';
export {
  firstInstance,
  instanceLayer,
  instanceOf,
  instancesOf,
  shapesByInstance,
} from './document/instances';
export { DocumentJson, fromAnswer, serialize, toAnswer, toJson } from './document/json';
export { MAX_HOLES, MAX_SHAPES, MAX_VERTICES } from './document/limits';
export { instanceMask, layerMask, shapeMask } from './document/masks';
export { type DocumentFrame, type ParsedDocument, parseDocument } from './document/parse';
export { ringsOf, shapeBounds, vertexCount } from './document/shape';
export { documentProblems, documentVertices } from './document/validate';
export { Editor, type EffectListener, previewOf, unfinishedOf } from './editor/editor';
export type { EditorInput, Effect, KeyInput, PinchInput, PointerInput, WheelInput } from './editor/input';
export { currentInstances } from './editor/instances';
export { reduceEditor, shortcutOf } from './editor/reduce';
export {
  type EditorStart,
  type EditorState,
  isIdle,
  type Outline,
  type Step,
  startEditor,
  statePath,
} from './editor/state';
export { type Command, type CommandName, commandsDone, redoDepth, undoDepth } from './history';
export {
  KeyChoices,
  type KeyPress,
  keyName,
  type Remapped,
  remap,
  resetKeys,
  shortcutFor,
  withChoices,
} from './key-press';
export { type EdgeCosts, edgeCosts, type Luminance } from './livewire/edge-costs';
export { Livewire } from './livewire/livewire';
export {
  type EditorMessage,
  editorMessage,
  editorMessageKeys,
  editorText,
  type Translate,
  toolName,
} from './messages';
export {
  type OutboxEffect,
  type OutboxEvent,
  type OutboxState,
  openOutbox,
  type SentWrite,
  type StoredWork,
  stepOutbox,
} from './outbox';
export { batchTotals, isAllStored, type OutboxStatus, outboxStatus } from './outbox-status';
export {
  canEdit,
  HEARTBEAT_MS,
  type OwnershipEffect,
  type OwnershipEvent,
  type OwnershipMessage,
  type OwnershipState,
  openOwnership,
  stepOwnership,
} from './ownership';
export { growRegion, regionLeaks, regionMask, regionShapes } from './region/grow-region';
export { outlineShapes } from './region/outline-shapes';
export { type CropPlan, planCrop, type RegionCrop, suggestRegion } from './region/suggest-region';
export { noSelection, type Selection, type VertexRef } from './selection';
export {
  type EditorSettings,
  editorStart,
  MAX_BRUSH_RADIUS,
  MIN_BRUSH_RADIUS,
  settingsOf,
  WorkspaceSettings,
} from './settings';
export {
  type ActionId,
  collisions,
  keyText,
  type Platform,
  type Shortcut,
  type ShortcutScope,
  type ShortcutSection,
  shortcutSections,
  shortcuts,
  shortcutText,
} from './shortcuts';
export { type ToolId, toolOf, tools } from './tools';
export type { AssistRequest, ObjectPrompt, Preview, Scribble, Tool } from './tools/tool';
export { insertionPoints } from './tools/vertex';
export {
  type Camera,
  fitImage,
  homeCamera,
  MAX_ZOOM,
  MIN_ZOOM,
  type Size,
  toImage,
  toScreen,
  zoomAt,
} from './view/camera';
export {
  isEditable,
  isLocked,
  isVisible,
  neutralTone,
  type Tone,
  toggleHidden,
  toggleLocked,
  toggleSolo,
  type ViewState,
  withOpacity,
} from './view/view';
