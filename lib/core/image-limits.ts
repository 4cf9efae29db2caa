/** What one upload may ask of the machine. Each is far beyond what a picture for annotation needs. */
export const limits = {
  /** 100 megapixels decode to 300 MB; the largest camera sensors sold have about 150. */
  pixels: 100_000_000,
  /** One picture as a file. */
  pictureBytes: 256 * 1024 * 1024,
  tableBytes: 64 * 1024 * 1024,
  filesPerUpload: 200_000,
  archiveEntries: 200_000,
  /** All that one archive may unpack to. */
  archiveBytes: 200 * 1024 ** 3,
  /** DEFLATE cannot pack better than 1032:1; pictures that were saved sensibly stay below 50:1. */
  archiveRatio: 200,
  /** Memory of one decoder. */
  decoderBytes: 1.5 * 1024 ** 3,
  decoderMs: 60_000,
} as const;
