import { describe, expect, it } from 'vitest';
import { parseDocument, serialize, statePath, tools } from '@/lib/core/editor';
import { createRng } from '@/lib/core/robustness/random';
import { diagonal, TestEditor } from '../../support/test-editor';

/** Runs over the registry, so that a new tool is tested without editing a list. */
describe.each(tools.map((tool) => [tool.id, tool] as const))('the tool %s', (id, tool) => {
  it('has an id and a key of its own', () => {
    expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(tool.key).toMatch(/^(Shift\+)?[A-Z]$/);
    expect(tools.filter((other) => other.id === id || other.key === tool.key)).toEqual([tool]);
    expect(tool.idle.name).toBe('idle');
  });

  it('is chosen by its shortcut', () => {
    const shift = tool.key.startsWith('Shift+');
    const editor = new TestEditor().key(shift ? tool.key.slice(-1) : tool.key.toLowerCase(), { shift });
    expect(statePath(editor.state)).toBe(`${id}.idle`);
  });

  it('survives any order of pointer and keyboard input, and Escape returns it to idle', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const editor = drawnEditor().tool(id);
      play(editor, `${id} ${seed}`);
      editor.key('Escape').key('Escape').expectState(`${id}.idle`);
      const { height, width } = editor.document;
      const stored = parseDocument(editor.bytes, { height, width, labels: LABELS });
      expect(stored.ok && serialize(stored.document)).toBe(editor.bytes);
    }
  });

  it('can be undone and redone completely', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const before = drawnEditor();
      const start = before.bytes;
      play(before.tool(id), `${id} undo ${seed}`);
      before.key('Escape').key('Escape');
      const end = before.bytes;
      const steps = before.state.history.past?.size ?? 0;
      expect(before.undo(steps - DRAWN).bytes).toBe(start);
      expect(before.redo(steps - DRAWN).bytes).toBe(end);
    }
  });
});

const LABELS = ['wing', 'tail'];
const DRAWN = 2;

/** Two shapes on the image, so that tools that change shapes have some. */
const drawnEditor = () =>
  new TestEditor({ labels: LABELS })
    .tool('rectangle')
    .drag(diagonal(20, 20, 40))
    .drag(diagonal(50, 40, 30));

function play(editor: TestEditor, seed: string): void {
  const rng = createRng(seed);
  const at = () => [rng.below(130) - 5, rng.below(110) - 5] as const;
  for (let step = 0; step < 25; step++) {
    const [x, y] = at();
    const held = { shift: rng.unit() < 0.2, alt: rng.unit() < 0.1 };
    const action = rng.below(7);
    if (action === 0) editor.click(x, y, held);
    else if (action === 1) editor.drag([[x, y], at(), at()], held);
    else if (action === 2) editor.pointerDown(x, y, held);
    else if (action === 3) editor.pointerMove(x, y, held);
    else if (action === 4) editor.pointerUp(x, y, held);
    else if (action === 5) editor.key('Enter');
    else editor.doubleClick(x, y);
  }
  editor.pointerUp(...at());
}
