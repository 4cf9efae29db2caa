import { type Point, pointInRing, ringArea } from '@/lib/core/geometry';
import { components, difference, encodeCounts, fillHoles } from '@/lib/core/mask';
import type { LabelLayer } from '../document/document';
import type { Edit } from '../document/edits';
import { layerMask } from '../document/masks';
import { hasPixel } from '../document/shape';
import { editorMessage } from '../messages';
import { defineTool, drawnLayer, type ToolContext } from './tool';

type FillState = { readonly name: 'idle' };

const idle: FillState = { name: 'idle' };

export const fillHole = defineTool<'fill-hole', FillState>({
  id: 'fill-hole',
  key: 'G',
  cursor: 'crosshair',
  draws: true,
  press: 'click',
  idle,
  on(state, input, context) {
    if (input.type !== 'down') return { state };
    const layer = drawnLayer(context);
    const edit = layer && (ringFill(layer, input.point) ?? pixelFill(layer, input.point, context));
    if (!edit) return { state, announce: editorMessage('noHole', { label: context.labelName }) };
    return { state, command: { name: 'fill-hole', message: editorMessage('holeFilled'), edits: [edit] } };
  },
  preview: () => [],
});

/** Takes away the smallest hole of a polygon that surrounds the point. */
function ringFill(layer: LabelLayer, [x, y]: Point): Edit | undefined {
  const [smallest] = layer.shapes
    .flatMap(({ id, shape }) =>
      shape.kind === 'polygon' && shape.op === 'add' ? shape.holes.map((hole) => ({ id, shape, hole })) : [],
    )
    .filter(({ hole }) => pointInRing(x, y, hole))
    .sort((a, b) => ringArea(a.hole) - ringArea(b.hole));
  if (!smallest) return undefined;
  const { id, shape, hole } = smallest;
  return {
    kind: 'replace',
    id,
    shapes: [{ ...shape, holes: shape.holes.filter((other) => other !== hole) }],
  };
}

/** Fills the enclosed background around the point, whatever shapes enclose it. */
function pixelFill(layer: LabelLayer, [x, y]: Point, { document, label }: ToolContext): Edit | undefined {
  const mask = layerMask(document, layer);
  const hole = components(difference(fillHoles(mask), mask), 4).find((part) =>
    hasPixel(part, Math.floor(x), Math.floor(y)),
  );
  if (!hole) return undefined;
  const size = [document.height, document.width] as const;
  return {
    kind: 'insert',
    label,
    shapes: [{ kind: 'bitmap', op: 'add', size, counts: encodeCounts(hole) }],
  };
}
