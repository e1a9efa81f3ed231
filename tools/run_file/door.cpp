#include "tools/run_file/door.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <set>
#include <vector>

#include "engine/printable.h"
#include "tools/run_file/dimensions.h"
#include "tools/run_file/forms.h"

namespace carom::hdf5 {

namespace {

constexpr std::uint64_t most_numbers = std::uint64_t{1} << 40;       // of a dataset
constexpr std::uint64_t best_compression = 1100;                     // of gzip
constexpr std::uint64_t most_chunk_bytes = std::uint64_t{64} << 20;  // unless a row is longer
constexpr std::size_t widest_text = 1 << 16;                         // of an attribute

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw BadRunFile(fmt::format("/{} {}", shown_place(path), what));
}

bool is_of(hid_t type, Of of) {
  const auto is = [&](hid_t native) { return H5Tequal(type, native) > 0; };
  switch (of) {
    case Of::number:
      return is(H5T_NATIVE_DOUBLE);
    case Of::integer:
      return is(H5T_NATIVE_INT64);
    case Of::unsigned_integer:
      return is(H5T_NATIVE_UINT64);
    case Of::small_integer:
      return is(H5T_NATIVE_INT32);
    case Of::byte:
      return is(H5T_NATIVE_UINT8);
    case Of::text:
      return H5Tget_class(type) == H5T_STRING;
    case Of::number_or_text:
      return is_of(type, Of::number) || is_of(type, Of::text);
  }
  return false;
}

// ---- one dataset -------------------------------------------------------------------------------------------------

// Before anything else is asked: the library looks for rows that lie elsewhere as soon as it is asked how many.
void check_layout(hid_t creation, const std::string& path) {
  const H5D_layout_t layout = H5Pget_layout(creation);
  if (layout != H5D_CHUNKED && layout != H5D_CONTIGUOUS && layout != H5D_COMPACT)
    refuse(path, "takes its rows from elsewhere");
  if (H5Pget_external_count(creation) != 0) refuse(path, "has its rows in another file");
}

void check_filters(hid_t creation, const std::string& path) {
  const int filters = H5Pget_nfilters(creation);
  for (int i = 0; i < filters; ++i) {
    unsigned flags = 0, settings = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, &settings);
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE)
      refuse(path, fmt::format("is packed by filter {}, which carom never uses", filter));
  }
}

void check_rank(hid_t space, const Extents& wanted, const std::string& path) {
  const int rank = H5Sget_simple_extent_ndims(space);
  const bool any = wanted == of_the_grid;
  const bool fits = any ? rank > 0 : rank == static_cast<int>(wanted.size());
  if (H5Sget_simple_extent_type(space) == H5S_NULL || !fits)
    refuse(path, fmt::format("has {} extents where {} belong", std::max(0, rank),
                             any ? "some" : std::to_string(wanted.size())));
}

// How many numbers it holds.
std::uint64_t check_shape(const std::vector<hsize_t>& shape, const std::string& path) {
  std::uint64_t numbers = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0 && shape[i] == 0) refuse(path, "has rows without numbers");
    if (shape[i] > most_numbers || numbers * shape[i] > most_numbers) refuse(path, "is larger than any run");
    numbers *= shape[i];
  }
  return numbers;
}

// Chunks are whole rows, and no larger than what a writer keeps in memory. Returns the bytes of one.
std::uint64_t check_chunks(hid_t creation, const std::vector<hsize_t>& shape, std::size_t number_bytes,
                           const std::string& path) {
  std::vector<hsize_t> chunk(shape.size());
  if (H5Pget_chunk(creation, static_cast<int>(chunk.size()), chunk.data()) != static_cast<int>(shape.size()))
    refuse(path, "has chunks of another rank");
  if (!std::equal(chunk.begin() + 1, chunk.end(), shape.begin() + 1)) refuse(path, "has chunks that are no whole rows");
  std::uint64_t row_bytes = number_bytes;
  for (std::size_t i = 1; i < shape.size(); ++i) row_bytes *= shape[i];
  if (chunk[0] > std::max<std::uint64_t>(1, most_chunk_bytes / row_bytes))
    refuse(path, fmt::format("has chunks of {} rows of {} bytes", chunk[0], row_bytes));
  return chunk[0] * row_bytes;
}

// Whether the file can hold so many bytes of it. Of rows that grow the last chunk may not have reached the disk, and
// they are cut (rows_in_chunks).
void check_storage(hid_t dataset, hid_t creation, std::uint64_t bytes, std::uint64_t chunk_bytes,
                   std::uint64_t file_bytes, const std::string& path) {
  const std::uint64_t stored = H5Dget_storage_size(dataset);
  const bool is_packed = H5Pget_nfilters(creation) > 0, grows = !is_packed && chunk_bytes > 0;
  if (stored > file_bytes + (grows ? chunk_bytes : 0))
    refuse(path, fmt::format("takes {} bytes of a file that has {}", stored, file_bytes));
  if (!grows && bytes > (is_packed ? stored * best_compression : stored))
    refuse(path, fmt::format("has {} bytes, and {} in the file cannot hold them", bytes, stored));
}

void check_dataset(hid_t dataset, const Form& form, std::uint64_t file_bytes, const std::string& path) {
  const Handle creation(H5Dget_create_plist(dataset), H5Pclose, path);
  check_layout(creation.id(), path);
  check_filters(creation.id(), path);
  const Handle type(H5Dget_type(dataset), H5Tclose, path), space(H5Dget_space(dataset), H5Sclose, path);
  if (!is_of(type.id(), form.type)) refuse(path, fmt::format("should be {}", name_of(form.type)));
  check_rank(space.id(), form.extents, path);
  const std::vector<hsize_t> shape = shape_of(dataset);
  const std::uint64_t numbers = check_shape(shape, path);
  const std::size_t number_bytes = H5Tget_size(type.id());
  std::uint64_t chunk_bytes = 0;
  if (H5Pget_layout(creation.id()) == H5D_CHUNKED) {
    chunk_bytes = check_chunks(creation.id(), shape, number_bytes, path);
    rows_in_chunks(dataset, shape[0], "/" + path);  // looks at the whole index
  }
  check_storage(dataset, creation.id(), numbers * number_bytes, chunk_bytes, file_bytes, path);
}

// Columns and directions have a name each, or none has.
void check_names(hid_t dataset, const std::string& path) {
  const std::vector<hsize_t> shape = shape_of(dataset);
  const auto check_count = [&](const char* name, hsize_t wanted) {
    if (!has_attribute(dataset, name)) return;
    const Handle attribute(H5Aopen(dataset, name, H5P_DEFAULT), H5Aclose, path);
    const Handle space(H5Aget_space(attribute.id()), H5Sclose, path);
    if (H5Sget_simple_extent_npoints(space.id()) != static_cast<hssize_t>(wanted))
      refuse(path, fmt::format("has not {} {}", wanted, name));
  };
  check_count("names", shape.size() > 1 ? shape[1] : 1);
  check_count("directions", shape.size() > 1 ? shape.back() : 1);
}

// ---- the tree ----------------------------------------------------------------------------------------------------

class Walk {
 public:
  Walk(std::uint64_t file_bytes, const Visitor& visitor) : file_bytes_(file_bytes), visitor_(visitor) {}

  // `place`: of the group in the file; `below`: in the run, comparison or sweep that the forms are of.
  void group(hid_t group, const std::string& place, const std::string& below, const Forms& forms) {
    meet(group, place, false);
    const std::vector<std::string> names = children(group);
    for (const std::string& name : names) {
      const std::string path = place + name, inner = below + name;
      const Handle object = open_child(group, name, path);
      if (H5Iget_type(object.id()) == H5I_DATASET) {
        one_dataset(object.id(), path, form_for(inner, path, forms));
      } else if (&forms == &forms_of_comparison() && path == laws_group) {
        laws(object.id());
      } else {
        if (H5Iget_type(object.id()) != H5I_GROUP || !leads_somewhere(inner, forms))
          refuse(path, "does not belong there");
        this->group(object.id(), path + "/", inner + "/", forms);
      }
    }
    check_needed(names, place, below, forms);
  }

 private:
  void laws(hid_t all) {
    meet(all, laws_group, false);
    for (const std::string& name : children(all)) {
      const std::string path = fmt::format("{}/{}", laws_group, name);
      const Handle run = open_child(all, name, path);
      if (H5Iget_type(run.id()) != H5I_GROUP) refuse(path, "does not belong there");
      group(run.id(), path + "/", "", forms_of_run());
    }
  }

  Handle open_child(hid_t group, const std::string& name, const std::string& path) {
    visitor_.at("/" + shown_place(path));
    check_text(name, "the name of /" + shown_place(path));
    H5L_info_t link;
    check(H5Lget_info(group, name.c_str(), &link, H5P_DEFAULT), "/" + path);
    if (link.type != H5L_TYPE_HARD) refuse(path, "is a link to elsewhere");
    return Handle(H5Oopen(group, name.c_str(), H5P_DEFAULT), H5Oclose, path);
  }

  void one_dataset(hid_t dataset, const std::string& path, const Form& form) {
    check_dataset(dataset, form, file_bytes_, path);
    meet(dataset, path, true);
    check_names(dataset, path);
  }

  // No two names for one object: what would be read twice, or leads back to itself.
  void meet(hid_t object, const std::string& place, bool is_dataset) {
    H5O_info_t info;
    check(H5Oget_info2(object, &info, H5O_INFO_BASIC), "/" + place);
    if (!seen_.insert(info.addr).second) refuse(place, "is another name for what stands elsewhere in the file");
    check_attributes(object, "/" + place, file_bytes_);
    visitor_.object(object, info.addr, "/" + place, is_dataset);
  }

  static const Form& form_for(const std::string& inner, const std::string& path, const Forms& forms) {
    const Form* form = form_at(inner, forms);
    if (!form) refuse(path, "does not belong there");
    return *form;
  }

  static bool leads_somewhere(const std::string& inner, const Forms& forms) {
    return std::any_of(forms.begin(), forms.end(), [&](const Form& f) { return is_above(inner, f.path); });
  }

  static void check_needed(const std::vector<std::string>& names, const std::string& place, const std::string& below,
                           const Forms& forms) {
    for (const Form& form : forms) {
      const std::size_t slash = form.path.rfind('/');
      const bool is_inside = slash != std::string::npos;
      const std::string group = is_inside ? form.path.substr(0, slash + 1) : "",
                        name = is_inside ? form.path.substr(slash + 1) : form.path;
      if (form.needed && is_at(below, group) && std::find(names.begin(), names.end(), name) == names.end())
        refuse(place + name, "is missing");
    }
  }

  std::uint64_t file_bytes_;
  const Visitor& visitor_;
  std::set<haddr_t> seen_;
};

const Forms* forms_of(const std::string& format) {
  if (format == "carom-run") return &forms_of_run();
  if (format == "carom-state") return &forms_of_state();
  if (format == "carom-compare") return &forms_of_comparison();
  if (format == "carom-sweep") return &forms_of_sweep();
  return nullptr;
}

}  // namespace

std::string shown_place(const std::string& place) {
  constexpr std::size_t most_bytes = 200;
  return printable(shortened(place, most_bytes));
}

bool is_known_format(const std::string& format) { return forms_of(format) != nullptr; }

void walk_through_door(hid_t file, const std::string& format, std::uint64_t bytes, const Visitor& visitor) {
  const Handle root = open_group(file, "/");
  Walk(bytes, visitor).group(root.id(), "", "", *forms_of(format));
}

namespace {

// Where the scales of a dataset stand in the file. carom never follows them.
void check_reference(hid_t type, const std::string& where) {
  if (H5Tget_class(type) != H5T_VLEN || H5Tget_class(Handle(H5Tget_super(type), H5Tclose, where).id()) != H5T_REFERENCE)
    throw BadRunFile(where + " is no list of references");
}

}  // namespace

void check_attributes(hid_t object, const std::string& path, std::uint64_t file_bytes) {
  for (const std::string& name : attributes(object)) {
    const std::string where = shown_place(fmt::format("attribute '{}' of {}", name, path));
    const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, where);
    const Handle type(H5Aget_type(attribute.id()), H5Tclose, where),
        space(H5Aget_space(attribute.id()), H5Sclose, where);
    if (is_reference(name)) {
      check_reference(type.id(), where);
      continue;
    }
    const bool is_text = is_of(type.id(), Of::text);
    if (is_text && H5Tget_size(type.id()) > widest_text) throw BadRunFile(where + " is wider than any text");
    const int rank = H5Sget_simple_extent_ndims(space.id());
    if (H5Sget_simple_extent_type(space.id()) == H5S_NULL || rank < 0 || rank > (is_text ? 1 : 0) ||
        !(is_text || is_of(type.id(), Of::number) || is_of(type.id(), Of::integer)))
      throw BadRunFile(where + " is neither text nor a number");
    if (static_cast<std::uint64_t>(H5Sget_simple_extent_npoints(space.id())) > file_bytes)
      throw BadRunFile(where + " is longer than the file");
  }
}

void check_text(const std::string& text, const std::string& where) {
  if (const std::string control = control_character(text); !control.empty())
    throw BadRunFile(fmt::format("{} holds the control character {}", where, control));
}

}  // namespace carom::hdf5
