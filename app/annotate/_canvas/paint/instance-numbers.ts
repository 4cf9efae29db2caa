import {
  type EditorState,
  instanceOf,
  instancesOf,
  isVisible,
  layerOf,
  shapeBounds,
  toScreen,
} from '@/lib/core/editor';
import type { Point } from '@/lib/core/geometry';

/** Of a badge, in screen pixels. */
const RADIUS = 10;

/** The number of each instance of the current label on the image, if there are several. The one that is drawn is light. */
export function paintInstanceNumbers(context: CanvasRenderingContext2D, state: EditorState): void {
  const layer = layerOf(state.document, state.label);
  if (!layer || !isVisible(state.view, state.label)) return;
  const instances = instancesOf(layer);
  if (instances.length < 2) return;
  context.save();
  context.font = '600 12px system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  instances.forEach((instance, index) => {
    const shapes = layer.shapes.filter(({ shape }) => instanceOf(shape) === instance && shape.op === 'add');
    const boxes = shapes.map(({ shape }) => shapeBounds(shape));
    const [largest] = boxes.sort((a, b) => b[2] * b[3] - a[2] * a[3]);
    if (!largest) return;
    const [left, top, width, height] = largest;
    const centre = toScreen(state.view.camera, [left + width / 2, top + height / 2]);
    paintBadge(context, centre, String(index + 1), instance === state.instance);
  });
  context.restore();
}

function paintBadge(context: CanvasRenderingContext2D, [x, y]: Point, text: string, isCurrent: boolean) {
  const width = Math.max(2 * RADIUS, context.measureText(text).width + RADIUS);
  context.beginPath();
  context.roundRect(x - width / 2, y - RADIUS, width, 2 * RADIUS, RADIUS);
  context.fillStyle = isCurrent ? '#ffffff' : 'rgb(0 0 0 / 75%)';
  context.fill();
  context.lineWidth = 1.5;
  context.strokeStyle = isCurrent ? '#000000' : 'rgb(255 255 255 / 80%)';
  context.stroke();
  context.fillStyle = isCurrent ? '#000000' : '#ffffff';
  context.fillText(text, x, y + 0.5);
}
