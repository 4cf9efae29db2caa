import { fillHole } from './fill-hole';
import { join } from './join';
import { pan, zoom } from './navigate';
import { polygon, polygonErase } from './polygon';
import { select } from './select';
import { slice } from './slice';
import { smartObject } from './smart-object';
import { smartOutline } from './smart-outline';
import { smartRegion } from './smart-region';
import { brush, eraser } from './stroke';
import type { RegisteredTool } from './tool';
import { ellipse, rectangle } from './two-point';
import { vertex } from './vertex';

/** Every tool, in the order of the toolbar. */
export const tools = [
  select,
  polygon,
  rectangle,
  ellipse,
  brush,
  eraser,
  polygonErase,
  vertex,
  slice,
  join,
  fillHole,
  smartOutline,
  smartRegion,
  smartObject,
  pan,
  zoom,
] as const;

export type ToolId = (typeof tools)[number]['id'];

const byId = new Map<string, RegisteredTool<ToolId>>(tools.map((tool) => [tool.id, tool]));

export function toolOf(id: ToolId): RegisteredTool<ToolId> {
  return byId.get(id) as RegisteredTool<ToolId>;
}
