# SPDX-License-Identifier: Apache-2.0
# Reads a result: median and 95 % interval of every time that was measured. Base R has no reader of JSON; it reads the
# table that `steelyard export DIR --to csv -o FILE` writes.
file <- commandArgs(trailingOnly = TRUE)[1]
points <- read.csv(file, stringsAsFactors = FALSE)
times <- subset(points, metric == "time_s" & !is.na(median) & !is.na(ci_low))
with(times, cat(sprintf("%-60s %12.3f us  %.3f .. %.3f\n", key, median * 1e6, ci_low * 1e6, ci_high * 1e6), sep = ""))
