import type { Point } from '@/lib/core/geometry';
import { fitBox, panBy, zoomAt } from '../view/camera';
import { boxBetween } from './snap';
import { defineTool, isDrag, type Outcome, type PointInput, type ToolContext } from './tool';

type PanState = { readonly name: 'idle' } | { readonly name: 'dragging'; readonly at: Point };

const idlePan: PanState = { name: 'idle' };

export const pan = defineTool<'pan', PanState>({
  id: 'pan',
  key: 'H',
  cursor: 'grab',
  draws: false,
  press: 'drag',
  idle: idlePan,
  on(state, input, context) {
    if (input.type === 'down') return { state: { name: 'dragging', at: input.screen } };
    if (state.name === 'idle' || (input.type !== 'move' && input.type !== 'up')) return { state };
    const camera = panBy(context.view.camera, input.screen[0] - state.at[0], input.screen[1] - state.at[1]);
    return { state: input.type === 'up' ? idlePan : { ...state, at: input.screen }, camera };
  },
  preview: () => [],
});

type ZoomState =
  | { readonly name: 'idle' }
  | { readonly name: 'pointing'; readonly from: Point }
  | { readonly name: 'boxing'; readonly from: Point; readonly to: Point };

const CLICK_FACTOR = 2;

const idleZoom: ZoomState = { name: 'idle' };

export const zoom = defineTool<'zoom', ZoomState>({
  id: 'zoom',
  key: 'Z',
  cursor: 'zoom-in',
  draws: false,
  press: 'click',
  idle: idleZoom,
  on(state, input, context) {
    if (input.type === 'down') return { state: { name: 'pointing', from: input.point } };
    if (state.name === 'idle' || (input.type !== 'move' && input.type !== 'up')) return { state };
    if (input.type === 'up') return release(state, input, context);
    if (state.name === 'pointing' && !isDrag(state.from, input.point, context)) return { state };
    return { state: { name: 'boxing', from: state.from, to: input.point } };
  },
  preview: (state) =>
    state.name === 'boxing' ? [{ kind: 'box', box: boxBetween(state.from, state.to) }] : [],
});

function release(state: ZoomState, input: PointInput, { view }: ToolContext): Outcome<ZoomState> {
  if (state.name === 'boxing')
    return { state: idleZoom, camera: fitBox(boxBetween(state.from, input.point), view.viewport) };
  const factor = input.shift ? 1 / CLICK_FACTOR : CLICK_FACTOR;
  return { state: idleZoom, camera: zoomAt(view.camera, input.screen, factor) };
}
