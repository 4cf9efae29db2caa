import { toolOf } from '../tools';
import type { Preview } from '../tools/tool';
import type { EditorInput, Effect } from './input';
import { reduceEditor } from './reduce';
import { contextOf, type EditorStart, type EditorState, type Outline, startEditor } from './state';
import { unfinishedOutline } from './targets';

export type EffectListener = (effect: Effect, state: EditorState) => void;

/** Holds the state for a page: inputs go in, and who subscribed hears of every new state and effect. */
export class Editor {
  #state: EditorState;
  readonly #listeners = new Set<() => void>();
  readonly #effects = new Set<EffectListener>();

  constructor(start: EditorStart) {
    this.#state = startEditor(start);
  }

  get state(): EditorState {
    return this.#state;
  }

  dispatch(input: EditorInput): void {
    const { state, effects } = reduceEditor(this.#state, input);
    const isNew = state !== this.#state;
    this.#state = state;
    for (const effect of effects) for (const listener of this.#effects) listener(effect, state);
    if (isNew) for (const listener of this.#listeners) listener();
  }

  /** Fits React's useSyncExternalStore. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly onEffect = (listener: EffectListener): (() => void) => {
    this.#effects.add(listener);
    return () => this.#effects.delete(listener);
  };
}

/** What to draw of the unfinished gesture. */
export function previewOf(state: EditorState): readonly Preview[] {
  return toolOf(state.tool).preview(state.toolState, contextOf(state));
}

/** The unfinished outline, to be stored beside the document so that a reload can go on with it. */
export function unfinishedOf(state: EditorState, label = state.label): Outline | undefined {
  return label === state.label ? unfinishedOutline(state) : state.parked.get(label)?.outline;
}
