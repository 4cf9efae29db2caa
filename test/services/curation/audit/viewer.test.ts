import { describe, expect, it } from 'vitest';
import { closeUp, entropyOf, layersOf } from '@/app/(console)/projects/[project]/audit/_viewer/layers';
import { freshId } from '@/app/(console)/projects/[project]/audit/_viewer/use-verdicts';
import { encodeCounts, rasterizeBox } from '@/lib/core/mask';
import {
  type AuditShortcut,
  auditShortcutFor,
  auditShortcuts,
} from '@/lib/services/curation/audit/shortcuts';

const [width, height] = [64, 48];
const box = (x: number, y: number, w: number, h: number) =>
  encodeCounts(rasterizeBox([x, y, w, h], height, width));
const answer = (id: string, mask: string | null) => ({
  id,
  mask,
  worker: id,
  workerId: id,
  accuracy: 0.9,
  agreement: 1,
  iou: 1,
  boundaryIou: 1,
  value: mask ? { kind: 'mask' as const } : { kind: 'nothing' as const },
});
const label = {
  mask: box(10, 10, 10, 10),
  answers: [answer('ann', box(10, 10, 10, 10)), answer('bo', box(15, 10, 10, 10)), answer('cy', null)],
  image: { width, height },
};

describe('what lies over the picture', () => {
  it('is the label, everybody’s outline, what differs, or where the votes are split', () => {
    expect(layersOf(label, 'outline').map((layer) => layer.id)).toEqual(['label']);
    expect(layersOf(label, 'answers').map((layer) => layer.id)).toEqual(['label', 'ann', 'bo']);
    const differs = Object.fromEntries(layersOf(label, 'difference').map((layer) => [layer.id, layer.path]));
    expect(differs['ann-only-label']).toBe('');
    expect(differs['bo-only-label']).toBe('M10 10L15 10L15 20L10 20Z');
    expect(differs['bo-only-answer']).toBe('M20 10L25 10L25 20L20 20Z');
    expect(differs['cy-only-label']).toBe('M10 10L20 10L20 20L10 20Z');
    const votes = layersOf(label, 'votes').filter((layer) => layer.id.startsWith('votes'));
    expect(votes.map((layer) => layer.name)).toEqual(['1 of 3 answers', '2 of 3 answers']);
    expect(votes[1]?.path).toBe('M15 10L20 10L20 20L15 20Z');
  });

  it('doubts most where half say so, and not at all where everybody agrees', () => {
    expect([entropyOf(0), entropyOf(0.5), entropyOf(1)]).toEqual([0, 1, 0]);
  });

  it('goes close to the mask without leaving the picture', () => {
    expect(closeUp(box(0, 0, 4, 4), width, height)).toEqual({ x: 0, y: 0, width: 22, height: 22 });
    expect(closeUp(box(60, 44, 4, 4), width, height)).toEqual({ x: 42, y: 26, width: 22, height: 22 });
    expect(closeUp(null, width, height)).toEqual({ x: 0, y: 0, width, height });
  });
});

describe('the keys of the audit', () => {
  it('mean one thing in each place', () => {
    for (const scope of ['label', 'grid', 'sample'] as const) {
      const keys = auditShortcuts
        .filter((shortcut: AuditShortcut) => shortcut.scopes.includes(scope))
        .flatMap((shortcut: AuditShortcut) => shortcut.keys);
      expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
    }
    expect(auditShortcutFor('A', 'sample')?.id).toBe('right');
    expect(auditShortcutFor('A', 'grid')?.id).toBe('accept');
    expect(auditShortcutFor('Q', 'label')).toBeUndefined();
  });
});

describe('an id that the browser makes', () => {
  it('follows the clock, as those of the server do', () => {
    const [early, late] = [freshId(1_700_000_000_000), freshId(1_800_000_000_000)];
    expect(early).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(early < late).toBe(true);
  });
});
