import type { Picture } from '../../picture';
import { blended, feathered } from '../../pixels/feathered';
import { filledSmoothly } from '../../pixels/fill-smooth';
import { invertedRegion, type Region, regionArea } from '../../region';
import { composed } from '../compose';

/** An object cut out: where it is, and its colours, continued beyond its edge so that no background bleeds in. */
export interface CutOut {
  colours: Picture;
  region: Region;
}

export const cutOut = (picture: Picture, region: Region): CutOut => ({
  colours: regionArea(region) === 0 ? picture : filledSmoothly(picture, invertedRegion(region)),
  region,
});

/** Laid on a picture; hard where the edge is 0 pixels soft. */
export const pasted = ({ colours, region }: CutOut, below: Picture, feather: number): Picture =>
  feather > 0
    ? blended(colours, below, feathered(region, below.width, feather))
    : composed(colours, below, region);
