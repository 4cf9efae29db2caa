import type { DatasetImage } from '../dataset';
import { type Crop, type CropSettings, streetCrops } from '../derive';
import type { Options } from '../format';
import { stemOf } from '../names';
import { streetCodes } from '../tessera/street-codes';
import { uidLayers, uidMap } from '../tessera/uid-map';

const settingsOf = (options: Options): CropSettings => ({
  pad: Number(options.pad),
  square: options.square === true,
  randomPad: options['random-pad'] === true,
  minArea: Number(options['min-area']),
  allowMissingParts: options['allow-missing-parts'] === true,
});

/** What is cut out of a picture. Boxes are larger than objects and hide each other: the masks as drawn decide. */
export function cropsOf(image: DatasetImage, options: Options, zOrders: ReadonlyMap<string, number>): Crop[] {
  const drawn = { ...image, objects: image.original?.objects ?? image.objects };
  const map = uidMap(drawn, uidLayers(drawn, streetCodes, zOrders));
  return streetCrops(map, image.width, image.height, settingsOf(options), stemOf(image.name));
}
