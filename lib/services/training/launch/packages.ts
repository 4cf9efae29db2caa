/** What a Debian machine needs to train. Without OpenBLAS its PyTorch multiplies with the slow reference library. */
export const debianPackages = ['python3-torch', 'python3-numpy', 'libopenblas0-pthread'] as const;
