// What the extents of a dataset run over, told in the file by HDF5's dimension scales: xarray, netCDF and h5web find
// the axes of every array by them.

#pragma once

#include <string>
#include <vector>

#include "tools/run_file/forms.h"
#include "tools/run_file/hdf5.h"

namespace carom::hdf5 {

// Ties the datasets of a run, all of it or those below "GROUP/", to those that its forms name for their extents.
void tie_extents(hid_t run, const Forms& forms, const std::string& below = "");

// An attribute that holds places in this file, which mean nothing in another.
bool is_reference(const std::string& attribute);
std::vector<std::string> attributes_without_references(hid_t object);

}  // namespace carom::hdf5
