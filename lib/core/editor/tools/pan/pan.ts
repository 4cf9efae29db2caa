import type { Point } from '@/lib/core/geometry';
import { panBy } from '../../view/camera';
import { defineTool } from '../tool';

type PanState = { readonly name: 'idle' } | { readonly name: 'dragging'; readonly at: Point };

const idle: PanState = { name: 'idle' };

export const pan = defineTool<'pan', PanState>({
  id: 'pan',
  key: 'H',
  cursor: 'grab',
  draws: false,
  press: 'drag',
  idle,
  on(state, input, context) {
    if (input.type === 'down') return { state: { name: 'dragging', at: input.screen } };
    if (state.name === 'idle' || (input.type !== 'move' && input.type !== 'up')) return { state };
    const camera = panBy(context.view.camera, input.screen[0] - state.at[0], input.screen[1] - state.at[1]);
    return { state: input.type === 'up' ? idle : { ...state, at: input.screen }, camera };
  },
  preview: () => [],
});
