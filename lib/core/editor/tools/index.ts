import { brush } from './brush/brush';
import { ellipse } from './ellipse/ellipse';
import { eraser } from './eraser/eraser';
import { fillHole } from './fill-hole/fill-hole';
import { join } from './join/join';
import { pan } from './pan/pan';
import { polygon } from './polygon/polygon';
import { polygonErase } from './polygon-erase/polygon-erase';
import { rectangle } from './rectangle/rectangle';
import { select } from './select/select';
import { slice } from './slice/slice';
import { smartObject } from './smart-object/smart-object';
import { smartOutline } from './smart-outline/smart-outline';
import { smartRegion } from './smart-region/smart-region';
import type { RegisteredTool } from './tool';
import { vertex } from './vertex/vertex';
import { zoom } from './zoom/zoom';

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
