import { area, difference, emptyMask, type Mask, merge, rasterizePolygons, union } from '@/lib/core/mask';
import type { PlacedLayer } from './placement';

/** Occluders belong to no instance; a rider's bicycle belongs to one but carries no name. */
export function isObject(layer: PlacedLayer): boolean {
  return layer.instance !== undefined && layer.tags.length > 0;
}

/** What can be seen of each layer: its rings minus the rings of everything painted after it. */
export function visibleMasks(layers: readonly PlacedLayer[], height: number, width: number): Mask[] {
  const visible: Mask[] = [];
  let covered = emptyMask(height, width);
  for (const layer of [...layers].reverse()) {
    const whole = rasterizePolygons(layer.rings, height, width);
    visible.push(difference(whole, covered));
    covered = union(covered, whole);
  }
  return visible.reverse();
}

/** Layers with the area each shows, ready to be asked for by tag and instance. */
export interface Truth {
  mask(matches: (layer: PlacedLayer) => boolean): Mask;
  /** Pixels shown by each named colour. */
  colourAreas(): Map<string, number>;
}

export function truthOf(layers: readonly PlacedLayer[], height: number, width: number): Truth {
  const visible = visibleMasks(layers, height, width);
  return {
    mask(matches) {
      const chosen = visible.filter((_, i) => matches(layers[i] as PlacedLayer));
      return chosen.length === 0 ? emptyMask(height, width) : merge(chosen);
    },
    colourAreas() {
      const areas = new Map<string, number>();
      layers.forEach(({ tone }, i) => {
        if (!isObject(layers[i] as PlacedLayer) || !tone.name) return;
        areas.set(tone.name, (areas.get(tone.name) ?? 0) + area(visible[i] as Mask));
      });
      return areas;
    },
  };
}
