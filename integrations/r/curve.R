# SPDX-License-Identifier: Apache-2.0
# Time over message size of one benchmark, with its 95 % intervals, from the table that
# `steelyard export DIR --to csv -o points.csv` writes. Base R alone:
#   Rscript curve.R points.csv imb-mpi1/PingPong pingpong.pdf
#   Rscript curve.R points.csv 'imb-ext/Unidir_Put;mode=aggregate' put.pdf      where the benchmark has several experiments
words <- commandArgs(trailingOnly = TRUE)
if (length(words) != 3) stop("wants a table, SUITE/BENCHMARK and a PDF file")
asked <- strsplit(words[2], ";", fixed = TRUE)[[1]]
points <- read.csv(words[1], stringsAsFactors = FALSE)
points <- subset(points, paste(suite, benchmark, sep = "/") == asked[1] & metric == "time_s" & status %in% c("ok", "partial") &
                   !is.na(median) & !is.na(message_byte) & message_byte > 0)
of_key <- function(keys) lapply(strsplit(keys, ";", fixed = TRUE), function(parts) parts[-1])
for (word in asked[-1])
  points <- points[vapply(of_key(points$key), function(parts) any(grepl(glob2rx(word), parts)), logical(1)), ]
if (nrow(points) == 0) stop("no times over message sizes of ", words[2])
points <- points[points$processes == max(points$processes), ]
# Points of one curve differ in their message size alone.
parts <- unlist(lapply(of_key(points$key), function(parts) parts[!startsWith(parts, "message_byte=")]))
differs <- names(which(table(parts) < nrow(points)))
if (length(differs) > 0)
  stop("several experiments fit ", words[2], ": ", paste(differs, collapse = ", "), "; name one, as in '", words[2], ";", differs[1], "'")
points <- points[order(points$message_byte), ]

pdf(words[3], width = 7, height = 5)
plot(points$message_byte, points$median * 1e6, log = "xy", type = "o", pch = 20, xlab = "message size in byte", ylab = "time in us",
     main = sprintf("%s, %d processes", words[2], points$processes[1]))
known <- subset(points, !is.na(ci_low) & ci_low > 0)
segments(known$message_byte, known$ci_low * 1e6, known$message_byte, known$ci_high * 1e6)
invisible(dev.off())
cat(sprintf("%d sizes, %.3f us at %g byte, %.3f us at %g byte\n", nrow(points), points$median[1] * 1e6, points$message_byte[1],
            points$median[nrow(points)] * 1e6, points$message_byte[nrow(points)]))
